import type { ContainerTag } from '../model/container.ts';
import type { Vendor } from '../model/vendor.ts';

/** A built-in tag type. Parameter names omit the `vtp_` prefix. */
export interface TagType {
  readonly name: string;
  readonly vendor: Vendor | null;
  readonly role: ContainerTag['role'];
  /** Parameters that can contain the tag's ID, in order of preference, and a prefix to add to the value. */
  readonly ids: readonly string[];
  readonly prefix: string;
  /** Parameter that contains the event name, or an equals sign followed by the name itself. */
  readonly event: string | null;
}

const tag = (
  name: string,
  vendor: Vendor | null,
  ids: readonly string[] = [],
  { prefix = '', event = null }: { readonly prefix?: string; readonly event?: string | null } = {},
): TagType => ({ name, vendor, role: 'tag', ids, prefix, event });

const listener = (name: string): TagType => ({
  name,
  vendor: null,
  role: 'listener',
  ids: [],
  prefix: '',
  event: null,
});

/** Tag Manager tag types, keyed by their function names in published containers. */
const TYPES: Readonly<Record<string, TagType>> = {
  __googtag: tag('Google tag', 'google', ['tagId']),
  __gaawc: tag('GA4 configuration', 'google', ['measurementId']),
  __gaawe: tag('GA4 event', 'google', ['measurementIdOverride', 'measurementId'], { event: 'eventName' }),
  __ua: tag('Universal Analytics', 'google', ['trackingId'], { event: 'eventAction' }),
  __awct: tag('Google Ads conversion', 'google', ['conversionId'], { prefix: 'AW-', event: '=conversion' }),
  __sp: tag('Google Ads remarketing', 'google', ['conversionId'], { prefix: 'AW-' }),
  __awud: tag('Google Ads user-provided data', 'google', ['conversionId'], { prefix: 'AW-' }),
  __awcc: tag('Google Ads call conversion', 'google', ['conversionId'], { prefix: 'AW-' }),
  __gclidw: tag('Conversion linker', 'google'),
  __flc: tag('Floodlight counter', 'google', ['advertiserId'], { prefix: 'DC-', event: 'activityTag' }),
  __fls: tag('Floodlight sales', 'google', ['advertiserId'], { prefix: 'DC-', event: 'activityTag' }),
  __opt: tag('Google Optimize', 'google', ['optimizeContainerId']),
  __gcs: tag('Google Customer Reviews', 'google'),
  __html: tag('Custom HTML', null),
  __img: tag('Custom image', null),
  __baut: tag('Microsoft Advertising', 'microsoft', ['tagId'], { event: 'eventType' }),
  __bzi: tag('LinkedIn Insight', 'linkedin', ['id']),
  __twitter_website_tag: tag('X pixel', 'x', ['twitter_pixel_id'], { event: 'event_type' }),
  __pntr: tag('Pinterest tag', 'pinterest', ['tagId'], { event: 'eventName' }),
  __hjtc: tag('Hotjar', 'hotjar', ['hotjar_site_id']),
  __crto: tag('Criteo', 'other', ['accountId']),
  __qpx: tag('Quora pixel', 'other', ['pixelId']),
  __asp: tag('AdRoll', 'other', ['advertiserId']),
  __paused: tag('Paused tag', null),
  __cl: listener('Click listener'),
  __lcl: listener('Link click listener'),
  __fsl: listener('Form submission listener'),
  __hl: listener('History listener'),
  __sdl: listener('Scroll depth listener'),
  __evl: listener('Element visibility listener'),
  __tl: listener('Timer'),
  __ytl: listener('YouTube video listener'),
  __jel: listener('JavaScript error listener'),
  __tg: listener('Trigger group listener'),
  __gct: { ...tag('Google tag destination', 'google', ['trackingId']), role: 'setting' },
  __rep: { ...tag('Google tag destination', 'google', ['containerId']), role: 'setting' },
  __ogt_event_create: { ...tag('Event creation', 'google', [], { event: 'eventName' }), role: 'setting' },
};

/** Returns a tag's type. Unknown types, such as community templates, have a name but no vendor. */
export function tagTypeOf(code: string): TagType {
  if (Object.hasOwn(TYPES, code)) return TYPES[code]!;
  if (/^__(?:ogt|ccd|set)_/.test(code)) {
    const name = code.replace(/^__(?:ogt_|ccd_|set_)/, '').replaceAll('_', ' ');
    return { ...tag(`Google tag setting (${name})`, 'google'), role: 'setting' };
  }
  if (code.startsWith('__cvt_')) return tag('Community template', null);
  return tag(`Tag type ${code.replace(/^_+/, '')}`, null);
}
