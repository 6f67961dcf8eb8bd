import {
  ARTICLES,
  type AssessArticle,
  assessArticle,
  assessRequest,
  assessResponse,
  MAX_ARTICLES,
  TOO_MANY_ARTICLES,
} from '@compliance/contract/assess';
import { AssessError, type Assessment, easternDate } from '@compliance/core/tariff';
import { z } from 'zod';
import { ApiError, type Issue } from '../errors/api-error.ts';
import { toApiIssues } from '../errors/validation-issues.ts';
import { defineOperation } from './operation.ts';

type Response = z.output<typeof assessResponse>;

export default defineOperation({
  id: 'tariff.assess',
  method: 'post',
  path: '/api/v1/tariff/assess',
  scope: 'tariff',
  clientArguments: 'request',
  summary: 'Assess the Section 232 duties on an article',
  description:
    'Assesses the Section 232 duties on an article based on its HTS code, entry date, origin, and known facts. For each duty, returns ' +
    'the Chapter 99 heading, base, rate, amount, and reasoning, with citations. If a missing fact would change the ' +
    'result, `outcomes` lists every possible result, and `missing` lists the missing facts. Send a single article, or up to ' +
    `${MAX_ARTICLES} articles in \`articles\`.`,
  request: assessRequest,
  response: assessResponse,
  // Don't reject the request because of an invalid article in `articles`. The handler reports the issue in the
  // article's result.
  parse: parseRequest,
  examples: [
    {
      name: 'a steel article with a declared Section 301 duty',
      request: {
        code: '7326.90.8688',
        as_of: '2026-05-01',
        origin: 'CN',
        facts: {
          customs_value: 10000,
          column1_rate_pct: 2.9,
          steel_weight_pct: 100,
          us_origin_pct: { steel: 0 },
          certification: 'none',
          end_use: 'other',
          other_duties: [{ program: '301', rate_pct: 25 }],
        },
      },
    },
    {
      name: 'a car with an unknown customs value',
      request: { code: '8703.23.01', as_of: '2025-12-15', origin: 'JP', facts: { end_use: 'passenger_vehicle' } },
    },
    {
      name: 'several articles',
      request: {
        articles: [
          { code: '9401.61.4011', as_of: '2026-10-01', origin: 'VN', facts: { customs_value: '1250.50' } },
          { code: '0101.21.00', as_of: '2026-10-01', origin: 'DE' },
        ],
      },
    },
  ],
  async handler(request, { now, assess }) {
    const assessOne = ({ code, as_of = easternDate(now), origin, facts }: AssessArticle) =>
      assess({ code, as_of, origin, facts: facts ?? {} });
    if (!('articles' in request)) {
      const result = attempt(() => assessOne(request));
      if ('issues' in result) throw invalid(result.issues);
      return result as Response;
    }
    const results: unknown[] = [];
    for (const [index, submitted] of request.articles.entries()) {
      if (index % ARTICLES_PER_TURN === ARTICLES_PER_TURN - 1) await nextTurn();
      const parsed = assessArticle.safeParse(submitted, { reportInput: true });
      const result = parsed.success ? attempt(() => assessOne(parsed.data)) : { issues: toApiIssues(parsed.error) };
      if ('issues' in result) {
        const issues = result.issues.map(issue => ({ ...issue, path: joinPath(`articles.${index}`, issue.path) }));
        results.push({ code: codeOf(submitted), error: { message: ARTICLE_ERROR, issues } });
      } else {
        results.push(result);
      }
    }
    return { results } as Response;
  },
});

/** Number of articles to assess before yielding to other requests. */
const ARTICLES_PER_TURN = 20;

function nextTurn(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve));
}

const ARTICLE_ERROR = 'The article has invalid fields. See `issues`.';

/** Schema for a request with several articles. The handler validates the articles one by one. */
const batch = z.strictObject({
  articles: z.array(z.unknown(), ARTICLES).min(1, ARTICLES).max(MAX_ARTICLES, TOO_MANY_ARTICLES),
});

function parseRequest(body: unknown): z.output<typeof assessRequest> {
  const isBatch = typeof body === 'object' && body !== null && Object.hasOwn(body, 'articles');
  const parsed = (isBatch ? batch : assessArticle).safeParse(body, { reportInput: true });
  if (!parsed.success) throw invalid(toApiIssues(parsed.error));
  return parsed.data as z.output<typeof assessRequest>;
}

/** Returns an article's assessment, or its issues if the article is invalid. */
function attempt(assessOne: () => Assessment): Assessment | { issues: Issue[] } {
  try {
    return assessOne();
  } catch (error) {
    if (!(error instanceof AssessError)) throw error;
    return { issues: [{ path: error.path, code: 'INVALID_VALUE', message: error.message }] };
  }
}

function invalid(issues: readonly Issue[]): ApiError {
  return new ApiError('invalid_request', { detail: { issues } });
}

function joinPath(parent: string, path: string): string {
  return path === '' ? parent : `${parent}.${path}`;
}

function codeOf(submitted: unknown): string | null {
  const { code } = (submitted ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : null;
}
