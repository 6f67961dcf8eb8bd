import type { Vendor } from './vendor.ts';

/** Trigger kinds. `page_view`, `dom_ready`, and `window_loaded` are page load stages. */
export type TriggerKind =
  | 'consent_initialization'
  | 'initialization'
  | 'page_view'
  | 'dom_ready'
  | 'window_loaded'
  | 'custom_event'
  | 'click'
  | 'link_click'
  | 'form_submission'
  | 'history_change'
  | 'scroll_depth'
  | 'element_visibility'
  | 'timer'
  | 'video'
  | 'javascript_error'
  | 'trigger_group'
  | 'any_event';

/**
 * A trigger condition. `text` is the condition in words, such as `Page Path starts with /cart`. `page` is the part
 * of the page URL that the condition compares, or `null` if the condition depends on something else or on a regular
 * expression.
 */
export interface TriggerCondition {
  readonly text: string;
  readonly negated: boolean;
  readonly page: {
    readonly part: 'url' | 'host' | 'path';
    readonly operator: 'equals' | 'contains' | 'starts with' | 'ends with';
    readonly value: string;
  } | null;
}

/** A trigger that runs a tag, or an exception that prevents the tag from running. */
export interface ContainerTrigger {
  readonly kind: TriggerKind;
  /** Name or pattern of the data layer event. `null` if the trigger matches any event. */
  readonly event: string | null;
  readonly conditions: readonly TriggerCondition[];
}

/** A tag's IDs. `exact` is false if the container chooses one of the IDs at runtime or computes an ID. */
export interface ContainerTagIds {
  readonly values: readonly string[];
  readonly exact: boolean;
}

/**
 * A tag in a container. A published container has no tag names, so `type` describes the tag. Text values contain
 * placeholders, such as `{{Page URL}}`, for values known only at runtime.
 */
export interface ContainerTag {
  /** Position in the container, starting at 1. */
  readonly number: number;
  /** Tag ID in the container, as shown in the URL of the tag's Tag Manager page. */
  readonly tagId: string | null;
  /** Name of the tag's code in the container file, such as `__gaawe`. */
  readonly code: string;
  readonly type: string;
  /**
   * `tag`: sends data or runs code. `listener`: watches for events that fire triggers. `setting`: configures a Google
   * tag.
   */
  readonly role: 'tag' | 'listener' | 'setting';
  readonly vendor: Vendor | null;
  /** Whether the tag runs a template's sandboxed code, which the scan can't interpret. */
  readonly template: boolean;
  readonly ids: ContainerTagIds;
  readonly event: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * Markup of a custom HTML tag. Each value that's known only at runtime is replaced with a call or an unresolved part.
   */
  readonly html: string | null;
  /** URL that a custom image tag requests. */
  readonly imageUrl: string | null;
  readonly triggers: readonly ContainerTrigger[];
  readonly exceptions: readonly ContainerTrigger[];
  /** Numbers of the tags that use this tag as their setup or cleanup tag. */
  readonly sequencedBy: readonly number[];
  /**
   * Consent types that the tag requires in addition to its built-in checks. Empty if the container specifies that
   * no consent is required, or `null` if the container doesn't have consent settings for the tag.
   */
  readonly consent: readonly string[] | null;
  /** Whether the tag's template can set the page's consent state. */
  readonly setsConsent: boolean;
  readonly paused: boolean;
  /** `page` or `event` if the tag runs at most once per page or per event, or `null` if there's no limit. */
  readonly once: 'page' | 'event' | null;
  readonly priority: number;
  /** Names of the runtime values that the tag's type, IDs, event, and parameters depend on. */
  readonly unknown: readonly string[];
}

/**
 * Contents of a Tag Manager container (`gtm.js`) or a Google tag (`gtag/js`), read from the configuration that Google
 * serves with its library.
 */
export interface Container {
  readonly id: string | null;
  readonly version: string | null;
  readonly tags: readonly ContainerTag[];
  /** Names of sandboxed templates, whose code the scan can't interpret. */
  readonly templates: readonly string[];
  /** URLs of server containers that receive the tags' data. */
  readonly serverUrls: readonly string[];
  /** Whether the reader skipped parts of the container because of a size limit. */
  readonly truncated: boolean;
}

/** Reason a file that looks like a container can't be read. */
export interface UnreadableContainer {
  readonly unreadable: string;
}
