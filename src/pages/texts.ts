import { fillSlots } from '../base/errors.ts'
import { translate } from '../base/i18n/translate.ts'

/** Every text that the public pages say, in English: the keys of the catalogues. */
export const PAGE_TEXTS = [
  ...['Skip to content', 'Views', 'List', 'Month', 'Week', 'Day', 'Today', 'Tomorrow', 'This weekend', 'Next 7 days'],
  ...['Search', 'Search events', 'Events', 'Language', 'Previous', 'Next', 'All day', 'Featured', 'Until {date}'],
  ...['Untitled event', 'Unnamed venue', 'Unnamed organizer', 'Category', 'Tag', 'Venue', 'Organizer'],
  ...['When', 'Where', 'Organized by', 'Cost', 'Website', 'Categories', 'Tags', 'Address', 'Telephone', 'E-mail'],
  ...['This is a draft.', 'This waits for review.', 'This is not published yet.', 'This is private.'],
  ...['This is in the trash.', 'Only its author and editors see this page.', 'This event is protected by a password.'],
  ...['Password', 'View event', 'This password is wrong.', 'Fill in this field.'],
  ...['This event is over.', 'Add to calendar', 'Directions', 'Share', 'Copy link', 'Link copied', 'In your time zone'],
  ...['More at this venue', 'More like this', 'Next events', 'Past events', 'Upcoming events', 'Latest past events'],
  ...['No events are planned at the moment.', 'Nothing matches what you are looking for.', '{count} more events'],
  ...['No events in this month.', 'Events: {count}'],
  ...['Filter', 'From', 'To', 'Show events', 'Clear all', 'Results for “{words}”'],
  ...['Subscribe', 'Nothing here', 'See the next events', 'Go to the start page'],
  ...['There is no page at this address. It may have been moved or taken away.', 'Something went wrong'],
  ...['This did not work', '{name}: what is on, when and where.', 'For developers', 'Places'],
  ...['Open map', 'No places with coordinates have events at the moment.', 'Nothing on this day.'],
  ...['Embed this calendar', 'View', 'Show code', 'Copy this code into your page.', 'As a script', 'As a frame'],
  ...['Description', 'Cancelled', 'Postponed', 'Rescheduled', 'Moved online', 'Online', 'At the venue and online'],
  ...['It was planned for {date}.', 'Take part', 'Repeats', 'All dates'],
  ...['Other dates', 'All events', 'All categories', 'Go to date', 'Embed', 'Preview'],
  ...['Free', 'Near me', 'Your place could not be found.'],
  ...['Submit an event', 'Map', 'Show the map', 'The map is loaded from {host}.', 'Zoom in', 'Zoom out'],
  ...['API reference', 'Guides', 'Requests', 'This list of requests needs JavaScript.'],
  'What you sent is too large.',
  'Go back: what you typed is still there. Then choose a smaller file, or shorten the text.',
  'Requests are sent as the person who is signed in, or with an application password.',
] as const

/** A text that the public pages say. */
export type PageText = (typeof PAGE_TEXTS)[number]

/** Says a text in the language of a page; `{slots}` are filled. */
export type Say = (text: PageText, slots?: Readonly<Record<string, string | number>>) => string

/** Says the texts of a list such as `PAGE_TEXTS` in one language. */
export function speaker<Text extends string = PageText>(
  language: string,
): (text: Text, slots?: Readonly<Record<string, string | number>>) => string {
  return (text, slots) => {
    const said = translate(language, text)
    return slots === undefined ? said : fillSlots(said, slots)
  }
}
