import { type BadgeProps, Badge as PolarisBadge } from '@shopify/polaris';

/**
 * Renders a colored label. The override prevents Polaris from adding its own screen reader text for the tone, which would
 * produce “Critical Urgent”.
 */
export const Badge = ({ tone, children }: Pick<BadgeProps, 'tone'> & { readonly children: string }) => (
  <PolarisBadge tone={tone} toneAndProgressLabelOverride=" ">
    {children}
  </PolarisBadge>
);
