import { integer, list, named, object, open, text } from '../../http/openapi/parts.ts'

/** The responses to a batch. */
export const BATCH_RESPONSES = named(
  'BatchResponses',
  object('The responses to a batch', {
    responses: list(
      'The responses, in the order of the requests',
      object(
        'The response to one request of a batch',
        {
          id: text('Identifier of the request; absent where it has none', 'venue'),
          status: integer('HTTP status', 201, { minimum: 200, maximum: 599 }),
          headers: open('ETag, Last-Modified, Location and X-Kalends-Ignored, in lower case', {}, []),
          body: open('What the request alone would be answered', {}, []),
        },
        ['status', 'headers', 'body'],
      ),
    ),
  }),
)
