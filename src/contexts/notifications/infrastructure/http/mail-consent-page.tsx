import type { VNode } from 'preact';
import { SignInFlowPage } from '#shared/web/dashboard/dashboard-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { ActionButton } from '#shared/web/dashboard/page-parts.js';
import { MAIL_CONSENT_PATH } from '../../application/notification-links.js';
import type { RecipientStatus } from '../../application/change-mail-consent.js';
import type { RecipientWithRule } from '../../domain/notification-rule.js';
import { RuleKinds } from '../dashboard/notification-rules-page.js';

interface MailAnswerProps {
  readonly recipient: Pick<RecipientWithRule, 'token' | 'email' | 'organizationName' | 'kinds'>;
  readonly state: RecipientStatus;
}

const TITLE_BY_STATE = {
  to_confirm: 'Receive these emails?',
  expired: 'This link has expired',
  subscribed: 'You receive these emails',
  unsubscribed: 'You have unsubscribed',
} as const satisfies Record<RecipientStatus, Word>;

/** The page to confirm or unsubscribe that emails link to. Works without sign-in and without JavaScript. */
export function mailConsentPage({ recipient, state }: MailAnswerProps): VNode {
  const { token, email, organizationName, kinds } = recipient;
  const path = `${MAIL_CONSENT_PATH}/${token}`;
  return (
    <SignInFlowPage title={TITLE_BY_STATE[state]}>
      <p>
        {t('Emails from {organization} to {email}.', {
          organization: <bdi>{organizationName}</bdi>,
          email: <bdi>{email}</bdi>,
        })}
      </p>
      <p class="note">
        <RuleKinds of={kinds} />.
      </p>
      {state === 'expired' && (
        <p>
          {t('To receive these emails, ask the sender for a new link. Nothing is sent until you confirm.')}
        </p>
      )}
      {(state === 'to_confirm' || state === 'unsubscribed') && (
        <ActionButton
          action={`${path}/confirm`}
          label={state === 'to_confirm' ? 'Confirm' : 'Subscribe again'}
          look="primary"
        />
      )}
      {state === 'subscribed' && <ActionButton action={path} label="Unsubscribe" look="primary" />}
    </SignInFlowPage>
  );
}

export function unknownMailLinkPage(): VNode {
  return (
    <SignInFlowPage title="Page not found">
      <p>{t('The link is incomplete or no longer valid.')}</p>
    </SignInFlowPage>
  );
}
