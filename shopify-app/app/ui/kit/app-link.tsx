import { Link } from '@remix-run/react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<'a'> & { readonly url: string; readonly external?: boolean };

/** Renders links in the kit's components. The router handles every link except links to pages outside the app. */
export function AppLink({ children, url, external, target, ref: _, ...rest }: Props) {
  if (external || /^[a-z][a-z0-9+.-]*:/i.test(url))
    return (
      <a {...rest} target={target ?? '_blank'} href={url} rel="noopener noreferrer">
        {children}
      </a>
    );
  return (
    <Link {...rest} target={target} to={url}>
      {children}
    </Link>
  );
}
