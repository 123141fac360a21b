import { isHttpUrl } from '../../base/text/http-url.ts'
import { wholeNumber } from './integer.ts'
import { BY_ID, type Kind, type ParseResult, refuse, schemaRef } from './kind.ts'

/** An image named on write: none, the ID of one that is stored, or the address of one. */
export type ImageRef =
  | { readonly by: 'none' }
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'url'; readonly url: string }

/** An image: ID as number or text, address, the object that GET returns, or false for none. */
export const image: Kind<ImageRef> = {
  control: 'image',
  declared: { type: 'string' },
  schema: { anyOf: [...BY_ID, schemaRef('Image'), { type: 'boolean', const: false }] },
  parse(value): ParseResult<ImageRef> {
    if (value === false || value === '' || value === 0 || value === '0') return { ok: true, value: { by: 'none' } }
    if (Array.isArray(value)) return value.length === 0 ? { ok: true, value: { by: 'none' } } : refuse('bad_image')
    const given = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
    const id = wholeNumber(given)
    if (id !== undefined && id > 0) return { ok: true, value: { by: 'id', id } }
    return typeof given === 'string' && isHttpUrl(given)
      ? { ok: true, value: { by: 'url', url: given } }
      : refuse('bad_image')
  },
}
