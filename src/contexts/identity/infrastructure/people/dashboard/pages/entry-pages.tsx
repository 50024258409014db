import type { VNode } from 'preact';
import { shownRole } from '#shared/kernel/dashboard-access.js';
import { EntryPage } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  TextField,
  type ShownRefusal,
  SecondFactorField,
} from '#shared/web/dashboard/form-parts.js';
import { DoneNotice } from '#shared/web/dashboard/list-parts.js';
import { MAX_PERSON_NAME_LENGTH } from '#contexts/identity/domain/people/collaborator.js';
import type { Invitation } from '#contexts/identity/application/people/invitations.js';
import {
  ADVISED_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '#contexts/identity/domain/people/password-rule.js';

interface FormProps {
  readonly refusal?: ShownRefusal | undefined;
}

const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters; ${ADVISED_PASSWORD_LENGTH} or more are advised. Several words are good.`;

export function signInPage(props: FormProps & { email?: string; then?: string; done?: string }): VNode {
  const { refusal, email, then, done } = props;
  return (
    <EntryPage title="Sign in">
      {done === 'password' && <DoneNotice>Your password is changed. Sign in with it.</DoneNotice>}
      {done === 'sign-out' && <DoneNotice>You are signed out.</DoneNotice>}
      <RefusalNotice refusal={refusal} fields={['email', 'password']} />
      <Form action="/app/sign-in">
        <TextField
          name="email"
          label="E-mail address"
          type="email"
          value={email}
          autocomplete="username"
          refusal={refusal}
          required
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          refusal={refusal}
          required
        />
        <Then path={then} />
        <button class="button primary">Sign in</button>
      </Form>
      <p>
        <a href="/app/password-reset">Forgotten password</a>
      </p>
    </EntryPage>
  );
}

export function secondFactorPage({ refusal, then }: FormProps & { then?: string }): VNode {
  return (
    <EntryPage title="Second factor">
      <RefusalNotice refusal={refusal} fields={['code']} />
      <Form action="/app/second-factor">
        <SecondFactorField refusal={refusal} autofocus />
        <Then path={then} />
        <button class="button primary">Go on</button>
      </Form>
      <SignOut />
    </EntryPage>
  );
}

/** The page before a page that needs the second factor shown lately. */
export function confirmPage({ refusal, then }: FormProps & { then?: string }): VNode {
  return (
    <EntryPage title="Confirm it is you">
      <p>Changes of how you sign in want the second factor again.</p>
      <RefusalNotice refusal={refusal} fields={['code']} />
      <Form action="/app/confirm">
        <SecondFactorField refusal={refusal} autofocus />
        <Then path={then} />
        <button class="button primary">Go on</button>
      </Form>
      <p>
        <a href="/app">Back to the dashboard</a>
      </p>
    </EntryPage>
  );
}

/** Answers a form in place of its page: it sends the form again, with the second factor. */
export function confirmActPage({
  action,
  reason,
  typed,
  refusal,
}: FormProps & {
  action: string;
  reason: string;
  typed: Readonly<Record<string, unknown>>;
}): VNode {
  return (
    <EntryPage title="Confirm it is you">
      <p>{reason} Nothing has changed yet, and what you typed is kept.</p>
      <RefusalNotice refusal={refusal} fields={['code']} />
      <Form action={action}>
        {Object.entries(typed).map(
          ([name, value]) => typeof value === 'string' && <input type="hidden" name={name} value={value} />,
        )}
        <SecondFactorField refusal={refusal} autofocus />
        <button class="button primary">Go on</button>
      </Form>
      <p>
        <a href="/app">Back to the dashboard</a>
      </p>
    </EntryPage>
  );
}

export function invitationPage(
  invitation: Invitation & { organizationName: string },
  props: FormProps & { name?: string },
): VNode {
  const { refusal, name } = props;
  return (
    <EntryPage title={`Join ${invitation.organizationName}`}>
      <p>
        {invitation.invitedBy} invites <strong>{invitation.email}</strong> as {shownRole(invitation.role)}.
      </p>
      <RefusalNotice refusal={refusal} fields={['name', 'password']} />
      <Form>
        <TextField
          name="name"
          label="Your name"
          value={name}
          autocomplete="name"
          refusal={refusal}
          required
          maxlength={MAX_PERSON_NAME_LENGTH}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          hint={PASSWORD_HINT}
          autocomplete="new-password"
          refusal={refusal}
          required
        />
        <button class="button primary">Go on to the second factor</button>
      </Form>
    </EntryPage>
  );
}

export function requestResetPage({
  refusal,
  email,
  isSent,
}: FormProps & { email?: string; isSent?: boolean }): VNode {
  return (
    <EntryPage title="Reset the password">
      {isSent === true ? (
        <p>
          If this address belongs to a collaborator, a mail with a link is on its way. The link works for 30
          minutes.
        </p>
      ) : (
        <>
          <RefusalNotice refusal={refusal} fields={['email']} />
          <Form action="/app/password-reset">
            <TextField
              name="email"
              label="E-mail address"
              type="email"
              value={email}
              autocomplete="username"
              refusal={refusal}
              required
            />
            <button class="button primary">Send the link</button>
          </Form>
        </>
      )}
      <p>
        <a href="/app/sign-in">To the sign-in</a>
      </p>
    </EntryPage>
  );
}

export function resetPasswordPage(email: string, { refusal }: FormProps): VNode {
  return (
    <EntryPage title="New password">
      <p>For {email}. All sessions will end, and the second factor is still needed.</p>
      <RefusalNotice refusal={refusal} fields={['password']} />
      <Form>
        <TextField
          name="password"
          label="New password"
          type="password"
          hint={PASSWORD_HINT}
          autocomplete="new-password"
          refusal={refusal}
          required
        />
        <button class="button primary">Change the password</button>
      </Form>
    </EntryPage>
  );
}

/** A way out for a person who came in by mistake. */
export function SignOut(): VNode {
  return (
    <form method="post" action="/app/sign-out">
      <button class="button">Sign out</button>
    </form>
  );
}

function Then({ path }: { path: string | undefined }): VNode | null {
  return path === undefined ? null : <input type="hidden" name="then" value={path} />;
}
