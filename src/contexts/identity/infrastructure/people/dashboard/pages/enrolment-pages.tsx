import type { VNode } from 'preact';
import { EntryPage } from '#shared/web/dashboard/dashboard-page.js';
import { Form, RefusalNotice, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { type QrImage, QrPicture } from '#shared/web/qr/qr-code.js';
import { MAX_PASSKEY_NAME_LENGTH } from '#contexts/identity/application/people/second-factors.js';
import { SignOut } from './entry-pages.js';

export interface EnrolmentProps {
  /** Base32. */
  readonly secret: string;
  /** The QR code of the address that apps read the secret from. */
  readonly qr: QrImage;
  /** No factor is enrolled yet: the person cannot leave this page. */
  readonly isFirst: boolean;
  readonly passkeyName?: string | undefined;
  /** The form that the refusal belongs to; the page shows it there. */
  readonly refused?: 'authenticator' | 'passkey';
  readonly refusal?: ShownRefusal | undefined;
}

/** An authenticator app or a passkey, on the way in or added later. */
export function enrolmentPage(props: EnrolmentProps): VNode {
  const { secret, isFirst, passkeyName, refused, refusal } = props;
  const of = (form: EnrolmentProps['refused']) => (refused === form ? refusal : undefined);
  return (
    <EntryPage title="Set up a second factor">
      {isFirst && <p>A password alone opens nothing here. Set up one of these; more can be added later.</p>}
      <h2>Authenticator app</h2>
      <RefusalNotice refusal={of('authenticator')} fields={['new_code']} />
      <Form action="/app/second-factor/authenticator">
        <p>Scan this with the app, or type in the secret.</p>
        <QrPicture image={props.qr} label="QR code of the secret" />
        <dl>
          <Copyable id="secret" label="Secret" value={secret} text={SHARED_MESSAGES.en} />
        </dl>
        <TextField
          name="new_code"
          label="Code that the app shows"
          inputmode="numeric"
          autocomplete="one-time-code"
          refusal={of('authenticator')}
          required
        />
        <button class="button primary">Set up the app</button>
      </Form>
      <details open={refused === 'passkey'}>
        <summary>Passkey</summary>
        <RefusalNotice refusal={of('passkey')} fields={['name']} />
        <Form action="/app/second-factor/passkey">
          <TextField
            name="name"
            label="Name of this device or key"
            value={passkeyName ?? 'My device'}
            refusal={of('passkey')}
            maxlength={MAX_PASSKEY_NAME_LENGTH}
          />
          <input type="hidden" name="answer" value="" />
          <button type="button" class="button primary" data-passkey="enrol" hidden>
            Set up a passkey
          </button>
          <noscript>
            <p class="note">Passkeys need JavaScript.</p>
          </noscript>
        </Form>
      </details>
      {isFirst && <SignOut />}
    </EntryPage>
  );
}

/** Shows recovery codes once, right after they are made. */
export function recoveryCodesPage(codes: readonly string[], next: string): VNode {
  const text = `${codes.join('\n')}\n`;
  return (
    <EntryPage title="Keep these recovery codes">
      <p class="warning">
        They are shown only now. Each signs you in once in place of the second factor, for when you have lost
        it. Keep them where you keep important papers.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="button" data-download="recovery-codes.txt" data-content={text} hidden>
          Download
        </button>
        <a class="button primary" href={next}>
          I have kept them
        </a>
      </div>
    </EntryPage>
  );
}
