import type { VNode } from 'preact';
import { EntryPage } from '#shared/web/dashboard/dashboard-page.js';
import { MAIL_PATH } from '../../application/notice-links.js';
import type { RecipientState } from '../../application/answer-mail.js';
import { kindsInWords } from '../../domain/mail-words.js';
import type { NamedRecipient } from '../../domain/mail-rules.js';

interface MailAnswerProps {
  readonly recipient: Pick<NamedRecipient, 'token' | 'email' | 'organizationName' | 'kinds'>;
  readonly state: RecipientState;
}

const TITLES: Readonly<Record<RecipientState, string>> = {
  to_confirm: 'Get these mails?',
  expired: 'This link is too old',
  subscribed: 'You get these mails',
  unsubscribed: 'You are unsubscribed',
};

/** The page that each mail leads to. It works without signing in and without JavaScript. */
export function mailAnswerPage({ recipient, state }: MailAnswerProps): VNode {
  const { token, email, organizationName, kinds } = recipient;
  const path = `${MAIL_PATH}/${token}`;
  return (
    <EntryPage title={TITLES[state]}>
      <p>
        Mails of <bdi>{organizationName}</bdi> to <bdi>{email}</bdi>.
      </p>
      <p class="note">{`${kindsInWords(kinds)}.`}</p>
      {state === 'expired' && (
        <p>Ask for another one where you want these mails. Nothing is sent meanwhile.</p>
      )}
      {(state === 'to_confirm' || state === 'unsubscribed') && (
        <form method="post" action={`${path}/confirm`}>
          <button class="button primary">{state === 'to_confirm' ? 'Confirm' : 'Get them again'}</button>
        </form>
      )}
      {state === 'subscribed' && (
        <form method="post" action={path}>
          <button class="button primary">Unsubscribe</button>
        </form>
      )}
    </EntryPage>
  );
}

export function unknownMailPage(): VNode {
  return (
    <EntryPage title="There is nothing here">
      <p>The link is not complete, or nothing is mailed to this address by it any more.</p>
    </EntryPage>
  );
}
