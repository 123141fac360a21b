import { integer, list, named, object, open, text } from '../../http/openapi/parts.ts'

/** The responses to a batch. */
export const BATCH_RESPONSES = named(
  'BatchResponses',
  object('api.batch.responsesBatch', {
    responses: list(
      'api.batch.responsesOrderRequests',
      object(
        'api.batch.responseOneRequestBatch',
        {
          id: text('api.idRequestOmittedNone', 'venue'),
          status: integer('api.httpStatusCode', 201, { minimum: 200, maximum: 599 }),
          headers: open('api.batch.headers', {}, []),
          body: open('api.responseRequestWouldGet', {}, []),
        },
        ['status', 'headers', 'body'],
      ),
    ),
  }),
)
