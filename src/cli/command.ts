import { type Command, Option as CommandOption } from 'commander'
import { toggle } from '../base/config/kinds.ts'
import { type Config, type Flags, OPTION_LIST, type OptionName, readConfig } from '../base/config.ts'
import { inEnglish } from './in-english.ts'
import { progressOn } from './output.ts'
import { operate } from './running-server/operate.ts'
import type { OperationInput, OperationName, OperationResult } from './running-server/operations.ts'
import type { World } from './types.ts'

/** A place where commands are declared: the program itself or a group such as `user`. */
export interface CommandGroup {
  readonly program: Command
  readonly world: World
  /** Exit code of the process unless an error sets another. */
  readonly outcome: { code: number }
}

/** The help of a command, and its arguments beside the configuration and `--json`. */
export interface Declaration {
  /** Name and arguments as commander writes them: `role <name> <role>`. */
  readonly usage: string
  readonly summary: string
  /** Options that must be given: flag with value -> description. */
  readonly required?: Readonly<Record<string, string>>
  /** Options that may be given: flag with value -> description. */
  readonly optional?: Readonly<Record<string, string>>
  /** The same for options that may be given several times. */
  readonly repeatable?: Readonly<Record<string, string>>
}

/** A command as it was called. */
export interface Invocation {
  readonly world: World
  readonly config: Config
  /** True when the output is for a program. */
  readonly json: boolean
  /** The text of an argument by its place; '' when it was not given. */
  argument(place: number): string
  /** The texts of the last argument when it takes several. */
  arguments(place: number): readonly string[]
  /** The text of an option of the command's own; undefined when it was not given. */
  option(name: string): string | undefined
  /** The texts of an option that may be repeated; `[]` when it was not given. */
  repeated(name: string): readonly string[]
  /** Runs an operation on the data, see `operate`. */
  operate<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationResult<Name>>
  /** The exit code of a command that has succeeded, and found something that a script should know. */
  exitWith(code: number): void
  /** Writes the result: one JSON object, or what `render` makes of it for people. */
  show<Result>(result: Result, render: (result: Result) => string): void
}

/** Declares a command. Every one of them has `--json` and the options of the configuration. */
export function declare(
  shell: CommandGroup,
  declared: Declaration,
  run: (invocation: Invocation) => Promise<void>,
): void {
  const command = shell.program.command(declared.usage).description(declared.summary)
  for (const [flags, text] of Object.entries(declared.required ?? {})) command.requiredOption(flags, text)
  for (const [flags, text] of Object.entries(declared.optional ?? {})) command.option(flags, text)
  for (const [flags, text] of Object.entries(declared.repeatable ?? {})) {
    const option = new CommandOption(flags, `${text}; may be repeated`)
    command.addOption(option.argParser((value, before: readonly string[] = []) => [...before, value]))
  }
  command.option('--json', 'print JSON')
  addConfigOptions(command)
  command.action(() => run(invocationOf(command, shell)))
}

/** Declares a group of commands and returns the place for them. */
export function group(shell: CommandGroup, name: string, summary: string): CommandGroup {
  return { ...shell, program: shell.program.command(name).description(summary) }
}

function addConfigOptions(command: Command): void {
  command.optionsGroup('Configuration, the same for every command:')
  for (const [, declared] of OPTION_LIST) {
    if (declared.flag === undefined) continue
    const value =
      declared.kind === toggle
        ? '[WORD]'
        : declared.kind.hint.includes('|')
          ? '<WORD>'
          : `<${declared.kind.hint.replace(',...', ',..')}>`
    const option = new CommandOption(`${declared.flag} ${value}`, `${declared.description} [${declared.env}]`)
    command.addOption(option)
  }
}

function invocationOf(command: Command, { world, outcome }: CommandGroup): Invocation {
  const given: Readonly<Record<string, unknown>> = command.opts()
  const config = readConfig(flagsOf(given), world.env)
  const json = given['json'] === true
  const argument = (place: number): unknown => command.processedArgs[place]
  return {
    world,
    config,
    json,
    argument: (place) => String(argument(place) ?? ''),
    arguments: (place) => (argument(place) as readonly string[] | undefined) ?? [],
    option: (name) => (given[name] === undefined ? undefined : String(given[name])),
    repeated: (name) => (given[name] as readonly string[] | undefined) ?? [],
    operate: (name, input) => operate({ world, config, onProgress: progressOn(world.stderr, world.now) }, name, input),
    exitWith: (code) => {
      outcome.code = code
    },
    show: (result, render) => {
      const said = inEnglish(result)
      world.stdout.write(json ? `${JSON.stringify(said)}\n` : render(said))
    },
  }
}

function flagsOf(given: Readonly<Record<string, unknown>>): Flags {
  const flags: { [Name in OptionName]?: string } = {}
  for (const [name] of OPTION_LIST) {
    const value = given[name]
    if (typeof value === 'string') flags[name] = value
    // A flag without a value.
    if (value === true) flags[name] = 'yes'
  }
  return flags
}
