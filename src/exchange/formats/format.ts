import type { MessageId } from '../../base/i18n/translate.ts'
import type { EventListValues, EventQueries, EventWithRelations } from '../../calendar/events/index.ts'
import type { Dependency } from '../../http/cache/versions.ts'
import type { NamedSchema } from '../../http/openapi/parts.ts'
import type { Call } from '../../http/route.ts'
import type { Site } from '../../model/site.ts'

/** What events are written for. */
export interface FormatContext {
  readonly events: EventQueries
  readonly call: Call<EventListValues>
  readonly site: Site
}

/** What the file of a list is written for. */
export interface FileContext extends FormatContext {
  /** Address of the file itself. */
  readonly address: string
}

/** An event in some format. */
export interface FormattedEvent {
  readonly text: string
  /** The zones that it names with their years, as the first line of `eventTexts` has them; absent in most formats. */
  readonly zones?: string
  readonly dependencies: readonly Dependency[]
}

/** What a file consists of, in the order of the list. */
export type FileParts = Awaited<ReturnType<EventQueries['fileParts']>>

/** A format other than the interface's JSON for lists of events, written one event after the other. */
export interface EventFormat {
  /** Of its addresses: `csv`. */
  readonly ending: string
  /** What the documents say of its lists, and of single events where it has them. */
  readonly said: {
    readonly list: MessageId
    readonly aboutList: MessageId
    readonly read?: MessageId
    readonly aboutRead?: MessageId
  }
  /** Media type without parameters. */
  readonly type: string
  /** Parameters of the media type: `; charset=utf-8`. */
  readonly parameters: string
  readonly schema: NamedSchema
  /** What shows the events of a list, page by page: recurring ones whole where it can; each by itself if absent. */
  parts?(context: FormatContext, pages: AsyncIterable<readonly number[]>): AsyncIterable<FileParts>
  /** The texts of parts, in their order; what cannot be shown is left out. */
  texts(context: FormatContext, parts: FileParts): Promise<readonly FormattedEvent[]>
  begin(context: FileContext): string
  /** Definitions of zones, which are separated like events. */
  zones?(named: ReadonlySet<string>, context: FileContext): readonly string[]
  readonly between: string
  /** An event at its place in the list, 1 for the first; the text itself if absent. */
  placed?(text: string, position: number): string
  end(context: FileContext): string
  /** The file of an event by itself; a list of one if absent. */
  single?(text: string, context: FileContext): string
}

/** The texts of events that are written from what they are and embed. */
export function fromEvents(write: (event: EventWithRelations, context: FormatContext) => string): EventFormat['texts'] {
  return async (context, parts) => {
    const ids = parts.map(({ id }) => id)
    const events = await context.events.events(context.call, ids)
    return events.map((event) => ({ text: write(event, context), dependencies: event.dependencies }))
  }
}
