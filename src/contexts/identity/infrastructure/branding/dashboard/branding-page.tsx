import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm, Form } from '#shared/web/dashboard/form-parts.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import type { OwnBranding } from '#contexts/identity/domain/branding/branding.js';
import {
  MAX_ADDRESS_LINES,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_TAX_ID_LENGTH,
} from '#contexts/identity/domain/branding/branding-texts.js';
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from '#contexts/identity/domain/branding/logo-file.js';
import { BrandingPreview } from './branding-preview.js';

export const BRANDING = {
  display_name: {
    label: 'Display name (optional)',
    hint: 'Names you on receipts and in mails. A payment page names the merchant of its point of sale.',
    maxlength: MAX_DISPLAY_NAME_LENGTH,
    autocomplete: 'organization',
  },
  tax_id: {
    label: 'Tax id (optional)',
    hint: 'Stands on receipts.',
    maxlength: MAX_TAX_ID_LENGTH,
    autocomplete: 'off',
  },
  postal_address: {
    kind: 'lines',
    label: 'Postal address (optional)',
    hint: t('Stands on receipts. At most {lines} lines.', { lines: MAX_ADDRESS_LINES }),
  },
  colour: {
    label: 'Colour (optional)',
    hint: '# and six hexadecimal digits, like #1d4ed8. Buttons have it; texts and links too, darkened or lightened until they can be read.',
    maxlength: 7,
    autocomplete: 'off',
  },
} satisfies FormFields;

export const LOGO = {
  logo: {
    kind: 'file',
    label: 'Image',
    hint: t(
      'PNG, JPEG or WebP of at most {size} kB and {pixels} pixels wide and high. Colour profiles, places, times and other notes in the file are left out. It stands on white.',
      { size: MAX_LOGO_BYTES / 1000, pixels: MAX_LOGO_PIXELS },
    ),
    accept: 'image/png,image/jpeg,image/webp',
    required: true,
  },
} satisfies FormFields;

export interface BrandingPageProps {
  readonly visitor: PageVisitor;
  /** The page's path; its forms post to it and below it. */
  readonly path: string;
  /** Undefined for the values of all accounts. */
  readonly account: { readonly id: string; readonly name: string } | undefined;
  readonly own: OwnBranding;
  /** The organization's values, which show where the account has none. */
  readonly inherited: OwnBranding;
  readonly done?: string | undefined;
  readonly sent?: SentForm;
}

const DONE = {
  changed: 'Changed. Pages show it within ten seconds.',
  logo: 'The logo is changed. Pages show it within ten seconds.',
  removed: 'The logo is removed. Mails that were sent lose it too.',
} satisfies Record<string, Word>;

export function brandingPage(props: BrandingPageProps): VNode {
  const { visitor, account, own, inherited, done } = props;
  return (
    <DashboardPage
      visitor={visitor}
      title={
        account === undefined ? 'Branding of all accounts' : t('Branding of {name}', { name: account.name })
      }
      place="/app/accounts"
    >
      <Done done={done} notices={DONE} />
      <section class="card">
        <h2>{t('As payers see it')}</h2>
        <p>
          {t(
            'Pages for checkouts, links, refunds, subscriptions and receipts, and mails to payers, have this logo and colour. The merchant’s name always stands beside the logo, and payment codes stay as they are.',
          )}
        </p>
        <BrandingPreview
          name={own.displayName ?? inherited.displayName ?? visitor.organizationName}
          colour={own.colour ?? inherited.colour}
          logo={own.logo ?? inherited.logo}
        />
        <Inheritance account={account} />
      </section>
      {may(visitor.role, 'manage') && <Changes {...props} />}
    </DashboardPage>
  );
}

function Inheritance({ account }: Pick<BrandingPageProps, 'account'>): VNode {
  if (account === undefined)
    return (
      <p class="note">
        {t(
          'Each account shows these, field by field, unless it has its own: open the account and its branding.',
        )}
      </p>
    );
  return (
    <p class="note">
      {t('A field that is empty here shows the one of {all}. Back to {account}.', {
        all: <a href="/app/branding">{t('all accounts')}</a>,
        account: <a href={`/app/accounts/${account.id}`}>{t('the account')}</a>,
      })}
    </p>
  );
}

function Changes({ path, own, sent }: BrandingPageProps): VNode {
  const { displayName, taxId, postalAddress, colour, logo } = own;
  return (
    <>
      <section class="card">
        <h2>{t('Name, tax id, address and colour')}</h2>
        <FieldsForm
          fields={BRANDING}
          sent={sent}
          values={{
            display_name: displayName ?? '',
            tax_id: taxId ?? '',
            postal_address: postalAddress ?? '',
            colour: colour ?? '',
          }}
          action={path}
        >
          <button class="button">{t('Save')}</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>{t('Logo')}</h2>
        <FieldsForm fields={LOGO} sent={sent} action={`${path}/logo`}>
          <button class="button">{t(logo === null ? 'Set the logo' : 'Replace the logo')}</button>
        </FieldsForm>
        {logo !== null && (
          <Form action={`${path}/logo/remove`}>
            <button class="button danger">{t('Remove the logo')}</button>
          </Form>
        )}
      </section>
    </>
  );
}
