import { certificateRules } from './certificate-rules.ts';
import { errorCodes } from './error-codes.ts';
import type { ReferenceSection } from './page.ts';
import { pixelRules } from './pixel-rules.ts';
import { tariffListPages } from './tariff-lists.ts';

/**
 * All reference pages. An ID belongs to the first section that recognizes it, so the section that also recognizes names
 * is last.
 */
export const SECTIONS: readonly ReferenceSection[] = [pixelRules, errorCodes, tariffListPages, certificateRules];
