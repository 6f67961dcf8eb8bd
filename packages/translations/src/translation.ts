/** One rule's strings. */
interface RuleTexts {
  readonly title: string;
  readonly what: string;
  readonly why?: string;
  readonly fix: string;
  readonly fixHeadless?: string;
  readonly messages: Readonly<Record<string, string>>;
}

/** All strings in one language. Strings can contain parameters in braces, such as `{id}`. */
export interface Translation {
  /** BCP 47 language tag. */
  readonly locale: string;
  /** Strings for the service's rule pages, by ID. */
  readonly pages: Readonly<Record<string, string>>;
  /** Strings for rendering results: messages by ID, and titles and fixes by problem code. */
  readonly rendering: {
    readonly messages: Readonly<Record<string, string>>;
    readonly problems: Readonly<Record<string, { readonly title: string; readonly fix: string }>>;
  };
  /** Report strings, by ID. */
  readonly report: Readonly<Record<string, string>>;
  /** Strings for rules and context findings, by ID. */
  readonly rules: Readonly<Record<string, RuleTexts>>;
  /** Phrases in messages, by ID. */
  readonly terms: Readonly<Record<string, string>>;
  /** Tariff conditions, by ID. */
  readonly conditions: Readonly<Record<string, string>>;
  /** Tariff caveats, by ID. */
  readonly caveats: Readonly<Record<string, string>>;
  /** Relations between duties, by English text. */
  readonly stacking: Readonly<Record<string, string>>;
  /** Messages about eFiling data, by ID. */
  readonly efiling: Readonly<Record<string, string>>;
}
