import { type Mount, ROOT_PATH } from './mount.ts'

/** Builds the URLs of one response, from the mount that was called and the public address of the site. */
export interface Urls {
  /** Address of an API path under the mount of this call: `api('/events/9')`. */
  api(path: string): string
  /** Address above the namespaces under the mount of this call: `root('/kalends/v1/media/7')`. */
  root(path: string): string
  /** Address of a page of the site: `page('/event/board-meeting/')`. */
  page(path: string): string
  /** Address of the index above the namespaces, in the language that was called: `https://…/de/wp-json/`. */
  readonly index: string
}

/** The addresses for calls under a mount. `origin` has no slash at its end. */
export function urlsOf(origin: string, mount: Mount): Urls {
  const language = mount.language === '' ? '' : `/${mount.language}`
  const root = `${origin}${language}${mount.prefix}`
  const api = `${root}/${mount.namespace}`
  return {
    api: (path) => api + path,
    root: (path) => root + path,
    page: (path) => origin + path,
    index: `${origin}${language}${ROOT_PATH}/`,
  }
}

/** Query text of ordered parameters, percent-encoded; '' when there are none. Half a pair of surrogates is U+FFFD. */
export function queryText(parameters: readonly (readonly [string, string])[]): string {
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
  return parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
}
