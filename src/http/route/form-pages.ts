import { requireScope } from '../auth/rights.ts'
import { type FormPage, type Pages, PRIVATE_PAGE } from '../html-page.ts'
import { contentTypeOf, NOTHING, readBody } from '../request/body.ts'
import { requireCsrfToken } from '../request/cross-origin.ts'
import { callerOf, incomingOfPage, readFile } from '../request/incoming.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { sendPage } from '../response/respond.ts'
import type { Incoming } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { RoutedPath } from './path-handler.ts'

/** The handlers of pages with forms. */
export function targetsOfForms(deps: ServerDeps, { forms = [] }: Pages): RoutedPath[] {
  return forms.flatMap((page) => {
    const { anonymousBodyLimit, isThere, formBudget } = page
    const limits = {
      bodyLimit: Math.max(deps.options.bodyLimit, page.bodyLimit ?? 0),
      ...(anonymousBodyLimit !== undefined && { anonymousBodyLimit }),
      ...(isThere && { isThere }),
    }
    const respond = (request: ServerRequest): Promise<void> => respondWithForm(deps, request, page)
    const count = async (request: ServerRequest): Promise<false> => {
      if (request.method === 'POST' && formBudget !== undefined) deps.limits?.sendForm(request, formBudget)
      return false
    }
    const ends = page.path.endsWith('*') ? [page.path] : [page.path, `${page.path}/`]
    return ends.map(
      (path): RoutedPath => ({
        methods: page.isPostOnly === true ? ['POST'] : ['GET', 'HEAD', 'POST'],
        path,
        target: { name: page.path, ...limits, respond, ...(formBudget !== undefined && { precheck: count }) },
      }),
    )
  })
}

/** Forms are for people: a token that reads them needs to allow everything. @throws insufficient_scope, rest_csrf_token, rest_too_many_requests, and what the page throws */
async function respondWithForm(deps: ServerDeps, request: ServerRequest, page: FormPage): Promise<void> {
  const caller = await callerOf(deps, request)
  requireScope(caller, 'admin')
  deps.limits?.ask(request, { caller, isCostly: page.isCostly === true })
  const isPost = request.method === 'POST'
  const content = isPost ? await readForm(request) : { body: NOTHING }
  requireCsrfToken(request, content.body, deps.options)
  const watch = deps.limits?.watch(request)
  const incoming = { ...incomingOfPage(deps, request, caller), ...content }
  const answer = await page.respond({
    method: isPost ? 'POST' : 'GET',
    incoming,
    http: request,
    csrf: incoming.csrf ?? '',
    ...(watch && { watch }),
    countSubmission: async () => deps.limits?.submit(request),
  })
  sendPage(deps, request, { page: { ...answer, headers: { ...PRIVATE_PAGE, ...answer.headers } }, caller })
}

/** Only multipart forms contain files; an empty one counts as none. */
async function readForm(request: ServerRequest): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const type = contentTypeOf(request)
  if (!/^multipart\/form-data\b/i.test(type)) return { body: await readBody(request.body, type, 'POST') }
  const { body, upload } = await readFile(request)
  return { body, ...(upload !== undefined && upload.bytes.length > 0 && { upload }) }
}
