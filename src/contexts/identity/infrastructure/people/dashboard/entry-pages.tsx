import { hrefWith } from '#shared/web/dashboard/list-page.js';
import type { ComponentChildren, VNode } from 'preact';
import { roleName } from '#shared/kernel/dashboard-access.js';
import { SignInFlowPage } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  HIDDEN_FIELD,
  SECOND_FACTOR_FIELD,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import { ActionButton, CompletedActionNotice, LanguageLinks } from '#shared/web/dashboard/page-parts.js';
import { type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { MAX_PERSON_NAME_LENGTH } from '#contexts/identity/domain/people/collaborator.js';
import type { Invitation } from '../persistence/invitations.js';
import {
  ADVISED_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '#contexts/identity/domain/people/password-rule.js';

const EMAIL_FIELD = {
  kind: 'email',
  label: 'Email address',
  autocomplete: 'username',
  required: true,
} as const;

const CHOSEN_PASSWORD_FIELD = {
  kind: 'password',
  hint: t(
    'At least {least} characters; {advised} or more recommended. A phrase of several words works well.',
    {
      ...{ least: MIN_PASSWORD_LENGTH, advised: ADVISED_PASSWORD_LENGTH },
    },
  ),
  autocomplete: 'new-password',
  required: true,
} as const;

export const SIGN_IN_FIELDS = {
  email: EMAIL_FIELD,
  password: { kind: 'password', label: 'Password', autocomplete: 'current-password', required: true },
  then: HIDDEN_FIELD,
} satisfies FormFields;

export const SECOND_FACTOR_FIELDS = {
  code: { ...SECOND_FACTOR_FIELD, autofocus: true },
  then: HIDDEN_FIELD,
} satisfies FormFields;

export const ACCEPT_INVITATION_FIELDS = {
  name: { label: 'Your name', autocomplete: 'name', required: true, maxlength: MAX_PERSON_NAME_LENGTH },
  password: { ...CHOSEN_PASSWORD_FIELD, label: 'Password' },
} satisfies FormFields;

export const RESET_REQUEST_FIELDS = { email: EMAIL_FIELD } satisfies FormFields;

export const RESET_PASSWORD_FIELDS = {
  password: { ...CHOSEN_PASSWORD_FIELD, label: 'New password' },
} satisfies FormFields;

interface EntryProps {
  readonly sent?: SubmittedForm | undefined;
}

interface ContinuationProps extends EntryProps {
  readonly then?: string | undefined;
}

const SUCCESS_MESSAGES = {
  password: 'Password changed. Sign in with your new password.',
  'sign-out': 'You are signed out.',
} satisfies Record<string, Word>;

export function signInPage({ sent, then, done }: ContinuationProps & { done?: string | undefined }): VNode {
  return (
    <SignInFlowPage title="Sign in">
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      <FormWithErrors fields={SIGN_IN_FIELDS} sent={sent} values={{ then }} action="/app/sign-in">
        <button class="button primary">{t('Sign in')}</button>
      </FormWithErrors>
      <p>
        <a href="/app/password-reset">{t('Forgot your password?')}</a>
      </p>
      <LanguageLinks path={sent && hrefWith('/app/sign-in', { then: sent.typed['then'] })} />
    </SignInFlowPage>
  );
}

interface SecondFactorProps extends ContinuationProps {
  readonly hasPasskey: boolean;
}

export function secondFactorPage({ sent, then, hasPasskey }: SecondFactorProps): VNode {
  return (
    <SignInFlowPage title="Second factor" hasPasskey={hasPasskey}>
      <FormWithErrors fields={SECOND_FACTOR_FIELDS} sent={sent} values={{ then }} action="/app/second-factor">
        <button class="button primary">{t('Continue')}</button>
      </FormWithErrors>
      <SignOutButton />
    </SignInFlowPage>
  );
}

export function confirmWithFactorPage({ sent, then, hasPasskey }: SecondFactorProps): VNode {
  return (
    <SecondFactorConfirmation
      hasPasskey={hasPasskey}
      reason={t('Confirm your second factor to change how you sign in.')}
    >
      <FormWithErrors fields={SECOND_FACTOR_FIELDS} sent={sent} values={{ then }} action="/app/confirm">
        <button class="button primary">{t('Continue')}</button>
      </FormWithErrors>
    </SecondFactorConfirmation>
  );
}

interface ConfirmActProps {
  readonly hasPasskey: boolean;
  readonly action: string;
  /** Part of a text that begins with "To". */
  readonly act: TranslatedPhrase;
  readonly typed: Readonly<Record<string, unknown>>;
  readonly refusal?: SubmittedForm['refusal'];
}

export function confirmActionPage({ hasPasskey, action, act, typed, refusal }: ConfirmActProps): VNode {
  const texts = Object.entries(typed).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const fields = {
    ...Object.fromEntries(texts.map(([name]) => [name, HIDDEN_FIELD])),
    code: SECOND_FACTOR_FIELDS.code,
  };
  return (
    <SecondFactorConfirmation
      hasPasskey={hasPasskey}
      reason={t('Confirm your second factor to {act}. Your entries are kept.', { act })}
    >
      <FormWithErrors
        fields={fields}
        sent={{ fields, typed: Object.fromEntries(texts), refusal }}
        action={action}
      >
        <button class="button primary">{t('Continue')}</button>
      </FormWithErrors>
    </SecondFactorConfirmation>
  );
}

interface ConfirmationProps {
  readonly reason: TranslatedPhrase;
  readonly hasPasskey: boolean;
  readonly children: ComponentChildren;
}

function SecondFactorConfirmation({ reason, hasPasskey, children }: ConfirmationProps): VNode {
  return (
    <SignInFlowPage title="Confirm it’s you" hasPasskey={hasPasskey}>
      <p>{reason}</p>
      {children}
      <p>
        <a href="/app">{t('Back to dashboard')}</a>
      </p>
    </SignInFlowPage>
  );
}

interface InvitationProps extends EntryProps {
  readonly invitation: Invitation & { readonly organizationName: string };
}

export function invitationPage({ invitation, sent }: InvitationProps): VNode {
  const { organizationName, invitedBy, email, role } = invitation;
  return (
    <SignInFlowPage title={t('Join {organization}', { organization: organizationName })}>
      <p>
        {t('{inviter} invited {email} to join as {role}.', {
          ...{ inviter: invitedBy, email: <strong>{email}</strong>, role: t(roleName(role)) },
        })}
      </p>
      <FormWithErrors fields={ACCEPT_INVITATION_FIELDS} sent={sent}>
        <button class="button primary">{t('Continue')}</button>
      </FormWithErrors>
    </SignInFlowPage>
  );
}

export function requestResetPage({ sent, done }: EntryProps & { done?: string | undefined }): VNode {
  return (
    <SignInFlowPage title="Reset password">
      {done === 'mailed' ? (
        <p>{t('If this address can sign in here, we have sent it a link. The link works for 30 minutes.')}</p>
      ) : (
        <FormWithErrors fields={RESET_REQUEST_FIELDS} sent={sent} action="/app/password-reset">
          <button class="button primary">{t('Send link')}</button>
        </FormWithErrors>
      )}
      <p>
        <a href="/app/sign-in">{t('Back to sign-in')}</a>
      </p>
    </SignInFlowPage>
  );
}

export function resetPasswordPage({ email, sent }: EntryProps & { email: string }): VNode {
  return (
    <SignInFlowPage title="New password">
      <p>
        {t(
          'Choose a new password for {email}. This ends all sessions. You still need your second factor to sign in.',
          { email },
        )}
      </p>
      <FormWithErrors fields={RESET_PASSWORD_FIELDS} sent={sent}>
        <button class="button primary">{t('Change password')}</button>
      </FormWithErrors>
    </SignInFlowPage>
  );
}

export function SignOutButton(): VNode {
  return <ActionButton action="/app/sign-out" label="Sign out" />;
}
