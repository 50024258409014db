import type { VNode } from 'preact';
import { logoSize, type BrandAppearance } from '../branding/page-branding.js';

export interface MailMerchant {
  readonly look: BrandAppearance;
  /** The origin of the hosted pages, without a slash at the end: mail programs load the logo from there. */
  readonly origin: string;
}

interface MailHeadProps {
  readonly name: string;
  readonly merchant: MailMerchant | undefined;
}

/** The head of a mail: the merchant's logo, where it has one, beside its name. Styles and sizes are inline, as mail programs want them. */
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
