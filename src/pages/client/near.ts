// "Near me": asks the device where it is, and lists what happens around there. Without scripts the chip is not there.
const chip = document.querySelector<HTMLButtonElement>('button[data-near]')

if (chip !== null && 'geolocation' in navigator) {
  chip.hidden = false
  chip.addEventListener('click', () => {
    const told = document.querySelector<HTMLElement>('[data-near-status]')
    const found = ({ coords }: GeolocationPosition): void => {
      const address = new URL(chip.dataset['near'] ?? '', location.href)
      // A hundred meters are exact enough for distances, and nobody's house stands in an address.
      address.searchParams.set('geoloc_lat', coords.latitude.toFixed(3))
      address.searchParams.set('geoloc_lng', coords.longitude.toFixed(3))
      address.searchParams.set('geoloc_radius', '25')
      location.assign(address)
    }
    const failed = (): void => {
      if (told !== null) told.textContent = chip.dataset['failed'] ?? ''
    }
    navigator.geolocation.getCurrentPosition(found, failed, { maximumAge: 600_000, timeout: 10_000 })
  })
}

export {}
