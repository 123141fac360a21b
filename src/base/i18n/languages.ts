/**
 * The languages of descriptions and messages (decisions: Languages). English is that of the code itself; each other one
 * is a catalogue `locales/<language>.json` and its name here.
 */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja', 'zh', 'ar'] as const
