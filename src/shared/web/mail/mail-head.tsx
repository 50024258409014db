import type { VNode } from 'preact';
import { logoSize, type BrandAppearance } from '../branding/page-branding.js';

export interface MailMerchant {
  readonly look: BrandAppearance;
  /** Origin of the hosted pages, without a trailing slash. Mail programs load the logo from it. */
  readonly origin: string;
}

interface MailHeadProps {
  readonly name: string;
  readonly merchant: MailMerchant | undefined;
}

/** Head of a mail: the merchant's logo, if any, and name. Mail programs require inline styles and sizes. */
export function MailHead({ name, merchant }: MailHeadProps): VNode {
  const logo = merchant?.look.logo;
  return (
    <p style={{ margin: '0 0 12px', fontWeight: 600 }}>
      {logo !== undefined && (
        <img
          src={merchant!.origin + logo.path}
          {...logoSize(logo)}
          alt=""
          style={{ verticalAlign: 'middle', marginRight: '10px', background: '#ffffff' }}
        />
      )}
      <bdi>{name}</bdi>
    </p>
  );
}
