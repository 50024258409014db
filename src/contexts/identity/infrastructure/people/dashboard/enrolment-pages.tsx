import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { SignInFlowPage } from '#shared/web/dashboard/dashboard-page.js';
import { type FormFields, type SubmittedForm, UNRENDERED_FIELD } from '#shared/web/dashboard/form-fields.js';
import { FormInputs, FormWithErrors, Form, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t, useTranslator } from '#shared/web/dashboard/words/text.js';
import { type QrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import { MAX_PASSKEY_NAME_LENGTH } from '#contexts/identity/domain/people/second-factors.js';
import { SignOutButton } from './entry-pages.js';

export const AUTHENTICATOR_FIELDS = {
  new_code: {
    label: 'Code from the app',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    required: true,
  },
} satisfies FormFields;

export const PASSKEY_FIELDS = {
  name: { label: 'Name of this device or key', maxlength: MAX_PASSKEY_NAME_LENGTH },
  answer: UNRENDERED_FIELD,
} satisfies FormFields;

interface EnrolmentProps {
  readonly secret: string;
  readonly qr: QrImage;
  /** The person must enrol one before leaving this page. */
  readonly isFirst: boolean;
  readonly sent?: SubmittedForm | undefined;
}

export function secondFactorEnrolmentPage({ secret, qr, isFirst, sent }: EnrolmentProps): VNode {
  return (
    <SignInFlowPage title="Set up your second factor">
      {isFirst && (
        <p>
          {t('A password is not enough to sign in. Set up one of these methods; you can add more later.')}
        </p>
      )}
      <h2>{t('Authenticator app')}</h2>
      <FormErrorNotice
        refusal={sent?.fields === AUTHENTICATOR_FIELDS ? sent.refusal : undefined}
        fields={AUTHENTICATOR_FIELDS}
      />
      <Form action="/app/second-factor/authenticator">
        <p>{t('Scan this code with the app, or enter the secret.')}</p>
        <SecretQrCode qr={qr} />
        <dl>
          <CopyRow id="secret" label="Secret" value={secret} />
        </dl>
        {/* The field stays empty after a wrong code, because the person must type a new one. */}
        <FormInputs fields={AUTHENTICATOR_FIELDS} sent={sent && { ...sent, typed: {} }} />
        <button class="button primary">{t('Set up app')}</button>
      </Form>
      <details open={sent?.fields === PASSKEY_FIELDS}>
        <summary>{t('Passkey')}</summary>
        <PasskeyForm sent={sent} />
      </details>
      {isFirst && <SignOutButton />}
    </SignInFlowPage>
  );
}

function SecretQrCode({ qr }: Pick<EnrolmentProps, 'qr'>): VNode {
  const words = useTranslator();
  return <QrPicture image={qr} label={words('QR code of the secret')} />;
}

function PasskeyForm({ sent }: Pick<EnrolmentProps, 'sent'>): VNode {
  const words = useTranslator();
  return (
    <FormWithErrors
      fields={PASSKEY_FIELDS}
      sent={sent}
      values={{ name: words('My device') }}
      action="/app/second-factor/passkey"
    >
      <input type="hidden" name="answer" value="" />
      <button type="button" class="button primary" data-passkey="enrol" hidden>
        {t('Set up passkey')}
      </button>
      <noscript>
        <p class="note">{t('Passkeys need JavaScript.')}</p>
      </noscript>
    </FormWithErrors>
  );
}

export const RECOVERY_CODES_PATH = '/app/second-factor/recovery-codes';

/** The only page that displays the new recovery codes. */
export function recoveryCodesPage(codes: readonly string[], next: string): VNode {
  const text = `${codes.join('\n')}\n`;
  return (
    <SignInFlowPage title="Save your recovery codes">
      <p class="warning">
        {t(
          'These codes are displayed only once. If you lose your second factor, each code lets you sign in once. Store them in a safe place.',
        )}
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li>
            <code {...NOT_TRANSLATED}>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="button" data-download="recovery-codes.txt" data-content={text} hidden>
          {t('Download')}
        </button>
        <LinkButton href={next} label="I saved them" look="primary" />
      </div>
    </SignInFlowPage>
  );
}
