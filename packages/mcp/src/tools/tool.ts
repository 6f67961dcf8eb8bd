import type { Dataset } from '@compliance/core/tariff';
import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { OperationError, type PerformOperation } from '../operations.ts';

/** Dependencies of a tool call. */
export interface ToolContext {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly dataset: Dataset;
  readonly perform: PerformOperation;
}

/** The result of a tool call. */
export interface ToolResult {
  /** Data that matches the tool's output schema. */
  readonly data: object;
  /** Short text for people and for agents that don't read structured data. */
  readonly text: string;
  /** Additional content, such as a PDF. */
  readonly attachments?: readonly ContentBlock[];
}

/** A tool, independent of the transport. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  /** Whether the tool performs an API operation, which counts toward the caller's limits. */
  readonly performsOperation: boolean;
  /**
   * Handles a call.
   *
   * @throws OperationError if the arguments are invalid or the operation fails
   */
  readonly call: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** A tool's definition with its schema types. */
interface ToolDefinition<Input extends z.ZodType> extends Omit<Tool, 'call'> {
  readonly input: Input;
  /**
   * Whether to leave argument validation to the operation, which returns better error messages than the tool. Defaults
   * to false.
   */
  readonly operationValidates?: boolean;
  readonly run: (input: z.output<Input>, context: ToolContext) => ToolResult | Promise<ToolResult>;
}

/** Defines a tool. Validates the arguments before each call, unless the operation validates them. */
export function defineTool<Input extends z.ZodType>({
  operationValidates = false,
  run,
  ...tool
}: ToolDefinition<Input>): Tool {
  return {
    ...tool,
    async call(input, context) {
      if (operationValidates) return await run(input as z.output<Input>, context);
      const parsed = tool.input.safeParse(input, { reportInput: true });
      if (!parsed.success) throw invalidArguments(issuesOf(parsed.error));
      return await run(parsed.data, context);
    },
  };
}

/** Creates the error for invalid arguments. */
export function invalidArguments(issues: readonly { path: string; message: string }[]): OperationError {
  return new OperationError({ error: 'invalid_request', message: 'The arguments are invalid.', issues });
}

function issuesOf(error: z.ZodError): { path: string; message: string }[] {
  return error.issues.map(issue => ({
    path: z.core.toDotPath(issue.path),
    message: issue.code === 'unrecognized_keys' ? `Remove unknown fields: ${issue.keys.join(', ')}.` : issue.message,
  }));
}

/** Annotations for tools that neither change anything nor access external systems. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Maximum number of lines in the text that describe individual items. The structured data isn't truncated. */
const MAX_LINES = 20;

/** Returns at most `MAX_LINES` lines, followed by the number of omitted lines, if any. */
export function summaryLines(lines: readonly string[]): string[] {
  const omitted = lines.length - MAX_LINES;
  return omitted > 0
    ? [...lines.slice(0, MAX_LINES), `Not shown here: ${omitted}. See the structured result.`]
    : [...lines];
}

/** Output fields that state how current a result is and where it comes from. */
export const provenance = {
  known_through: z
    .string()
    .meta({ format: 'date', description: "Date through which the result is current. Later changes aren't included." }),
  sources: z.array(z.string()).meta({ description: 'URLs and citations of the sources.' }),
};

/** Returns text that states how current a result is. */
export function currentThrough({ known_through }: { known_through: string }): string {
  return `Current through ${known_through}. Later changes aren't included.`;
}

/** Returns lines that state how current a result is and where it comes from. */
export function provenanceLines({ known_through, sources }: { known_through: string; sources: readonly string[] }) {
  return [currentThrough({ known_through }), ...summaryLines(sources.map(source => `- Source: ${source}`))];
}

/** Returns text that states how current the lists are, with the data set version. */
export function knownThrough({ version, known_through }: { version: string; known_through: string }): string {
  return `Lists current through ${known_through} (data set ${version}). Later changes aren't included.`;
}
