import { type BadgeProps, Badge as PolarisBadge } from '@shopify/polaris';

/** A word with a colour. Polaris would have its own word for the colour read out before it: “Critical Urgent”. */
export const Badge = ({ tone, children }: Pick<BadgeProps, 'tone'> & { readonly children: string }) => (
  <PolarisBadge tone={tone} toneAndProgressLabelOverride=" ">
    {children}
  </PolarisBadge>
);
