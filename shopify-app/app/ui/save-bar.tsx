import { useBlocker } from '@remix-run/react';
import { SaveBar } from '@shopify/app-bridge-react';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { isFromAdmin } from './use-admin-navigation.ts';

/** Callbacks for a form with unsaved changes. */
interface FormActions {
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

type Register = (id: string, form: RefObject<FormActions> | null) => void;

/** Without a provider, as in the stories, forms work without a save bar. */
const RegisterContext = createContext<Register>(() => {});

/**
 * Shows the Shopify admin's save bar while a form on the page has unsaved changes, and asks for confirmation before the
 * merchant leaves the page.
 */
export function SaveBarProvider({ children }: { readonly children: ReactNode }) {
  const [forms, setForms] = useState<ReadonlyMap<string, RefObject<FormActions>>>(new Map());
  const register = useCallback<Register>((id, form) => {
    setForms(previous => {
      if (!form && !previous.has(id)) return previous;
      const next = new Map(previous);
      if (form) next.set(id, form);
      else next.delete(id);
      return next;
    });
  }, []);
  const isDirty = forms.size > 0;
  // Don't block navigation from the sidebar, because the Shopify admin has already asked for confirmation.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // A change to the query string, for example to show the next page of a list, also replaces the form.
      isDirty && pageOf(currentLocation) !== pageOf(nextLocation) && !isFromAdmin(nextLocation.state),
  );
  const { state, proceed } = blocker;
  useEffect(() => {
    if (state === 'blocked') void shopify.saveBar.leaveConfirmation().then(proceed);
  }, [state, proceed]);
  useUnloadPrompt(isDirty);
  const call = (action: keyof FormActions) => {
    for (const form of forms.values()) form.current?.[action]();
  };
  return (
    <RegisterContext.Provider value={register}>
      <SaveBar id="unsaved-changes" open={isDirty}>
        {/* The Shopify admin translates the labels. */}
        <button type="button" variant="primary" onClick={() => call('onSave')} />
        <button type="button" onClick={() => call('onDiscard')} />
      </SaveBar>
      {children}
    </RegisterContext.Provider>
  );
}

const pageOf = ({ pathname, search }: { readonly pathname: string; readonly search: string }) => pathname + search;

/**
 * Asks for confirmation before the browser reloads or closes the page while changes are unsaved.
 *
 * @example useUnloadPrompt(isSaving);
 */
export function useUnloadPrompt(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
}

/**
 * Shows the save bar while a form has unsaved changes.
 *
 * @param isDirty whether the form's values differ from the saved values
 * @example
 * useSaveBar(code !== saved, { onSave: () => onSave(code), onDiscard: () => setCode(saved) });
 */
export function useSaveBar(isDirty: boolean, actions: FormActions): void {
  const register = useContext(RegisterContext);
  const id = useId();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    register(id, isDirty ? latest : null);
    return () => register(id, null);
  }, [register, id, isDirty]);
}

/**
 * Shows the save bar while a form with an irreversible action contains input. The Save button doesn't perform the
 * action. Instead, it moves the focus to the form's own button, whose label describes the action. Returns a ref for the
 * element around that button.
 *
 * @example const action = useFinalForm(reason !== '', () => setReason('')); return <div ref={action}><Button>Void</Button></div>;
 */
export function useFinalForm(isDirty: boolean, onDiscard: () => void): RefObject<HTMLDivElement> {
  const action = useRef<HTMLDivElement>(null);
  useSaveBar(isDirty, { onSave: () => action.current?.querySelector('button')?.focus(), onDiscard });
  return action;
}
