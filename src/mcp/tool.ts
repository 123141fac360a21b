import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { NAMESPACE, type Urls } from '../http/address.ts'
import type { Caller } from '../http/auth/rights.ts'
import type { InnerRequest, InnerResponse } from '../http/inner-request.ts'
import type { Site } from '../model/site.ts'

/** Path of events in the API. */
export const EVENTS = `/${NAMESPACE}/events`

/** What tools and resources work with. */
export interface ToolContext {
  /**
   * Sends a request to a route with the rights, language and budgets of the caller.
   * @throws RefusedRequest for every status from 400 on, and failures such as rest_too_many_requests
   */
  request(asked: InnerRequest): Promise<InnerResponse>
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly now: number
  readonly site: Site
  /** Of messages, as the caller prefers it. */
  readonly language: string
  readonly urls: Urls
}

/** A tool as a program sees it, and what it does. */
export interface Tool<Input extends z.ZodType, Output extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What a token needs for it; a tool that needs more than `read` changes something. */
  readonly scope: 'read' | 'events:write'
  readonly annotations: ToolAnnotations
  /** A closed object. */
  readonly input: Input
  readonly output: Output
  /** @throws RefusedRequest, and failures with a code; anything else is an internal error */
  run(context: ToolContext, args: z.infer<Input>): Promise<z.infer<Output>>
}

/** A tool without its type parameters, for tables. */
export type AnyTool = Tool<z.ZodType, z.ZodType>

/** Declares a tool with its types checked, and forgets them for the table. */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(declared: Tool<Input, Output>): AnyTool {
  // `run` only gets what `input` has read.
  return declared as unknown as AnyTool
}

/** The same of a tool that only reads. */
export function readTool<Input extends z.ZodType, Output extends z.ZodType>(
  declared: Omit<Tool<Input, Output>, 'scope' | 'annotations'>,
): AnyTool {
  return tool({
    ...declared,
    scope: 'read',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  })
}

/** Something that programs read by its address. */
export interface Resource {
  /** Its address, or a template of addresses with a `{parameter}`. */
  readonly uri: string
  /** The addresses of a template, with what its parameter stands for as their only group. */
  readonly pattern?: RegExp
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Its text; undefined where nothing has this address. @throws as `Tool.run` */
  read(context: ToolContext, parameter: string): Promise<string | undefined>
}
