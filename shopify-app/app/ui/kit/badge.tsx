import { type BadgeProps, Badge as PolarisBadge } from '@shopify/polaris';

/**
 * Renders a colored label. Overrides the screen reader text that Polaris adds for the tone, because screen readers
 * would otherwise announce, for example, “Critical Urgent”.
 */
export const Badge = ({ tone, children }: Pick<BadgeProps, 'tone'> & { readonly children: string }) => (
  <PolarisBadge tone={tone} toneAndProgressLabelOverride=" ">
    {children}
  </PolarisBadge>
);
