import zones from './windows-zones.json' with { type: 'json' }

/**
 * Names that Windows and Exchange have for time zones, in small letters, and the zone of the tz database that each stands for
 * where no country is named (source: windowsZones of the Unicode CLDR).
 */
const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(Object.entries(zones))

/** The zone that a name of Windows stands for; undefined for any other name. */
export function windowsZone(name: string): string | undefined {
  return WINDOWS_ZONES.get(
    name
      .trim()
      .toLowerCase()
      .replace(/ (?:standard|daylight|summer) time$/, ''),
  )
}
