import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormActionOutcome,
  type FormFields,
  UNRENDERED_FIELD,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { Card, CompletedActionNotice } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import type { OwnBranding } from '#contexts/identity/domain/branding/branding.js';
import {
  MAX_ADDRESS_LINES,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_SUPPORT_LENGTH,
  MAX_TAX_ID_LENGTH,
} from '#contexts/identity/domain/branding/branding-texts.js';
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from '#contexts/identity/domain/branding/logo-file.js';
import { BrandingPreview } from './branding-preview.js';

export const BRANDING_FIELDS = {
  display_name: {
    label: 'Display name (optional)',
    hint: 'Your name on receipts and in emails. Payment pages show the merchant name of the point of sale.',
    maxlength: MAX_DISPLAY_NAME_LENGTH,
    autocomplete: 'organization',
  },
  tax_id: {
    label: 'Tax id (optional)',
    hint: 'Appears on receipts.',
    maxlength: MAX_TAX_ID_LENGTH,
    autocomplete: 'off',
  },
  postal_address: {
    kind: 'lines',
    label: 'Postal address (optional)',
    hint: t('Appears on receipts. At most {lines} lines.', { lines: MAX_ADDRESS_LINES }),
  },
  own_colour: { kind: 'tick', label: 'Use your own colour' },
  colour: {
    kind: 'color',
    label: 'Colour',
    hint: 'Used for buttons, and for text and links in a shade that stays readable.',
    onlyFor: 'own-colour',
  },
  logo: {
    kind: 'file',
    label: 'Logo (optional)',
    hint: t(
      'PNG, JPEG or WebP, at most {size} kB and {pixels} pixels wide and high. Shown on white. Metadata such as location and colour profile is removed.',
      { size: MAX_LOGO_BYTES / 1000, pixels: MAX_LOGO_PIXELS },
    ),
    accept: 'image/png,image/jpeg,image/webp',
  },
  remove_logo: {
    kind: 'tick',
    label: 'Remove logo',
    hint: 'It also disappears from emails already sent.',
  },
  support: {
    label: 'Support contact',
    hint: 'Email address or https:// address. Payers see it on every page, for example after an incomplete payment.',
    maxlength: MAX_SUPPORT_LENGTH,
    exact: true,
    autocomplete: 'off',
  },
} satisfies FormFields;

export interface BrandingPageProps extends FormActionOutcome {
  readonly visitor: PageUser;
  /** Path of the page. Its form is submitted to this path. */
  readonly path: string;
  /** The account whose branding the page edits; undefined for the organization's branding. */
  readonly account: { readonly id: string; readonly name: string } | undefined;
  readonly own: OwnBranding;
  /** The organization's values, displayed for fields that the account does not set. */
  readonly inherited: OwnBranding;
}

/** First colour of the picker, which cannot be blank. */
const DEFAULT_COLOUR = '#1d4ed8';

const SUCCESS_MESSAGES = {
  changed: 'Branding updated. Pages show it within ten seconds.',
} satisfies Record<string, Word>;

export function brandingPage(props: BrandingPageProps): VNode {
  const { visitor, account, own, inherited, done } = props;
  return (
    <DashboardPage
      visitor={visitor}
      title={
        account === undefined ? 'Branding for all accounts' : t('Branding for {name}', { name: account.name })
      }
      place="/app/accounts"
    >
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      {(own.support ?? inherited.support) === null && (
        <p class="warning">
          {t(
            'Set a support contact: payers with a problem ask there. Without one, you cannot be approved for production.',
          )}
        </p>
      )}
      <Card title="Preview">
        <p>
          {t(
            'Payment, refund, subscription and receipt pages and emails to payers use this logo and colour. The merchant name always appears next to the logo. Payment codes do not change.',
          )}
        </p>
        <BrandingPreview
          name={own.displayName ?? inherited.displayName ?? visitor.organizationName}
          colour={own.colour ?? inherited.colour}
          logo={own.logo ?? inherited.logo}
        />
        <InheritanceNote account={account} />
      </Card>
      {hasPermission(visitor.role, 'manage') && <BrandingForm {...props} />}
    </DashboardPage>
  );
}

function InheritanceNote({ account }: Pick<BrandingPageProps, 'account'>): VNode {
  if (account === undefined)
    return (
      <p class="note">
        {t(
          'Accounts use these values for every field they do not set themselves. To set them for an account, open its branding.',
        )}
      </p>
    );
  return (
    <p class="note">
      {t('Blank fields use the values of {all}. Back to {account}.', {
        all: <a href="/app/branding">{t('all accounts')}</a>,
        account: <a href={`/app/accounts/${account.id}`}>{t('the account')}</a>,
      })}
    </p>
  );
}

function BrandingForm({ path, own, inherited, sent }: BrandingPageProps): VNode {
  const { displayName, taxId, postalAddress, colour, support, logo } = own;
  return (
    <FormCard
      title="Name, tax id, address, colour, logo and support contact"
      fields={BRANDING_FIELDS}
      sent={sent}
      values={{
        display_name: displayName ?? '',
        tax_id: taxId ?? '',
        postal_address: postalAddress ?? '',
        own_colour: colour === null ? '' : 'on',
        colour: colour ?? inherited.colour ?? DEFAULT_COLOUR,
        support: support ?? '',
      }}
      known={logo === null ? { remove_logo: UNRENDERED_FIELD } : {}}
      action={path}
      button="Save"
    />
  );
}
