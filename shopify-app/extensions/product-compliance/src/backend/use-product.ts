import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ProductSummary } from '../../../../src/product-extensions/contract.ts';
import { type Failure, type Intent, loadSummary, runAction } from './backend.ts';

type Task = 'load' | Intent;

/** A product's results, and the state of the requests. */
interface Requests {
  /** Latest results, or null if no request has returned any. A failed request doesn't change them. */
  readonly summary: ProductSummary | null;
  /** Reason that the latest request failed, or null. */
  readonly failure: Failure | null;
  /** Request in progress, or null. */
  readonly busy: Task | null;
  /** Latest finished request, or null. */
  readonly last: Task | null;
}

/** A product's results, and functions that send requests. */
export interface ProductState extends Requests {
  readonly run: (intent: Intent) => void;
  /** Repeats the latest request. */
  readonly retry: () => void;
}

/**
 * Loads a product's results, and runs actions on the product.
 *
 * @example const { summary, run } = useProduct('8', 'en');
 */
export function useProduct(product: string, language: string): ProductState {
  const [state, setState] = useState<Requests>({ summary: null, failure: null, busy: 'load', last: null });
  const send = useCallback(
    async (task: Task) => {
      setState(before => ({ ...before, failure: null, busy: task }));
      const answer = await (task === 'load' ? loadSummary(product, language) : runAction(product, language, task));
      setState(({ summary }) =>
        'summary' in answer
          ? { summary: answer.summary, failure: null, busy: null, last: task }
          : { summary, failure: answer.failure, busy: null, last: task },
      );
    },
    [product, language],
  );
  useEffect(() => void send('load'), [send]);
  return { ...state, run: send, retry: () => void send(state.last ?? 'load') };
}
