// Whoever sets up a calendar is mostly where it is: the time zone of the browser stands in the form, unless it was sent.

const zone = document.querySelector<HTMLInputElement>('input[name=siteZone]')
if (zone?.value === 'UTC' && document.querySelector('[role=alert]') === null)
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone

export {}
