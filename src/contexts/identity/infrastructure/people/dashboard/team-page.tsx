import type { VNode } from 'preact';
import {
  COLLABORATOR_ROLES,
  hasPermission,
  roleName,
  type CollaboratorRole,
} from '#shared/kernel/dashboard-access.js';
import type { CollaboratorId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { type FormFields, type SubmittedForm, UNRENDERED_FIELD } from '#shared/web/dashboard/form-fields.js';
import { Form, FormCard, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { ActionButton, CopyRow, CompletedActionNotice } from '#shared/web/dashboard/page-parts.js';
import { type Column, ListTable, Pager } from '#shared/web/dashboard/list-page.js';
import { t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { DeviceOfPerson } from '../../persistence/pairings.js';
import type { Invitation } from '../persistence/invitations.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';

export const INVITATION_FIELDS = {
  email: { kind: 'email', label: 'Email address', autocomplete: 'off', required: true },
  role: {
    kind: 'choice',
    label: 'Role',
    hint: 'Owners and Admins can do everything, but only Owners manage Owners. Developers view everything and test webhooks. Viewers only view. Cashiers only pair phones as tills.',
  },
} satisfies FormFields;

export const COLLABORATOR_FIELDS = {
  role: UNRENDERED_FIELD,
  enabled: UNRENDERED_FIELD,
  devices: UNRENDERED_FIELD,
} satisfies FormFields;

export interface TeamProps extends PageRequest, Page<Collaborator> {
  readonly visitor: PageUser & { readonly collaboratorId: CollaboratorId };
  readonly invitations: readonly Invitation[];
  readonly devices: readonly DeviceOfPerson[];
  /** The form or button whose request was refused. */
  readonly sent?: SubmittedForm | undefined;
  readonly done?: string | undefined;
  /** Link of the new invitation. Present only on the first display of the page. */
  readonly link?: string | undefined;
}

const SUCCESS_MESSAGES = {
  invited: 'Invitation sent.',
  withdrawn: 'Invitation withdrawn. Its link no longer works.',
  changed: 'Team member updated.',
} satisfies Record<string, Word>;

export function teamPage(props: TeamProps): VNode {
  const { visitor, items, invitations, devices, sent, done, link, ...paging } = props;
  const manages = hasPermission(visitor.role, 'manage');
  return (
    <DashboardPage visitor={visitor} title="Team" place="/app/team">
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      {link !== undefined && (
        <section class="card">
          <p class="warning">{t('You can also share this link yourself. It is displayed only once.')}</p>
          <dl>
            <CopyRow id="link" label="Link" value={link} />
          </dl>
        </section>
      )}
      <FormErrorNotice refusal={sent?.fields === INVITATION_FIELDS ? undefined : sent?.refusal} />
      <ListTable
        caption="Team members"
        items={items}
        empty="No team members yet."
        columns={teamColumnsFor(visitor, devices)}
      />
      <Pager path="/app/team" {...paging} />
      {invitations.length > 0 && <Invitations invitations={invitations} manages={manages} />}
      {manages && <InviteForm role={visitor.role} sent={sent} />}
    </DashboardPage>
  );
}

function teamColumnsFor(
  visitor: TeamProps['visitor'],
  devices: readonly DeviceOfPerson[],
): Column<Collaborator>[] {
  const columns: Column<Collaborator>[] = [
    {
      title: 'Name',
      wide: true,
      cell: ({ name, email }) => (
        <div>
          <bdi>{name}</bdi>
          <div class="note">{email}</div>
        </div>
      ),
    },
    { title: 'Role', cell: ({ role }) => t(roleName(role)) },
    {
      title: 'Status',
      cell: ({ enabled }) => <StatusBadge status={enabled ? 'enabled' : 'disabled'} />,
    },
    { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <TimeText at={lastSignedInAt} /> },
  ];
  if (hasPermission(visitor.role, 'manage'))
    columns.push({
      title: 'Action',
      cell: (person) => (
        <ChangeCollaboratorForm
          person={person}
          visitor={visitor}
          devices={devices.filter(({ pairedBy }) => pairedBy === person.id)}
        />
      ),
    });
  return columns;
}

function ChangeCollaboratorForm({
  person,
  visitor,
  devices,
}: {
  person: Collaborator;
  visitor: TeamProps['visitor'];
  devices: readonly DeviceOfPerson[];
}): VNode | null {
  const words = useTranslator();
  const { id, name, role, enabled } = person;
  if (role === 'owner' && visitor.role !== 'owner') return null;
  return (
    <details>
      <summary aria-label={words(t('Edit {name}', { name }))}>{t('Edit')}</summary>
      <Form action={`/app/team/${id}`}>
        <div class="field">
          <label for={`role-${id}`}>{t('Role')}</label>
          <select id={`role-${id}`} name="role">
            {assignableRolesOf(visitor.role).map((one) => (
              <option value={one} selected={one === role}>
                {t(roleName(one))}
              </option>
            ))}
          </select>
        </div>
        <div class="check">
          <input type="checkbox" id={`enabled-${id}`} name="enabled" checked={enabled} />
          <label for={`enabled-${id}`}>{t('Can sign in')}</label>
        </div>
        {devices.length > 0 && <PairedPhones of={id} devices={devices} />}
        <button class="button">{t('Save')}</button>
      </Form>
    </details>
  );
}

/** Asks the manager what to do with a person's paired phones, which keep working after the person loses access. */
function PairedPhones({ of, devices }: { of: CollaboratorId; devices: readonly DeviceOfPerson[] }): VNode {
  return (
    <div class="field">
      <label for={`devices-${of}`}>{t('Phones paired by this person')}</label>
      <ul>
        {devices.map(({ name, pointOfSaleId }) => (
          <li>
            <a href={`/app/points-of-sale/${pointOfSaleId}`}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <select id={`devices-${of}`} name="devices">
        <option value="">{t('Choose if this person is leaving')}</option>
        <option value="revoke">{t('Revoke these phones')}</option>
        <option value="keep">{t('Keep these phones paired')}</option>
      </select>
    </div>
  );
}

function Invitations({
  invitations,
  manages,
}: {
  invitations: readonly Invitation[];
  manages: boolean;
}): VNode {
  const columns: Column<Invitation>[] = [
    { title: 'Invited', wide: true, cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => t(roleName(role)) },
    { title: 'Added by', cell: ({ invitedBy }) => invitedBy },
    { title: 'Valid until', cell: ({ expiresAt }) => <TimeText at={expiresAt} /> },
  ];
  const withdraw = ({ id, email }: Invitation) => (
    <ActionButton
      action={`/app/team/invitations/${id}/withdraw`}
      label="Withdraw"
      fullLabel={t('Withdraw invitation for {email}', { email })}
    />
  );
  return (
    <>
      <h2>{t('Pending invitations')}</h2>
      <ListTable
        caption="Pending invitations"
        items={invitations}
        columns={manages ? [...columns, { title: 'Action', cell: withdraw }] : columns}
      />
    </>
  );
}

function InviteForm({ role, sent }: { role: CollaboratorRole; sent: SubmittedForm | undefined }): VNode {
  const roles = assignableRolesOf(role).map((value) => ({ value, label: roleName(value) }));
  return (
    <FormCard
      title="Invite a team member"
      fields={INVITATION_FIELDS}
      sent={sent}
      values={{ role: 'viewer' }}
      known={{ role: { options: roles } }}
      action="/app/team/invitations"
      button="Invite"
      look="primary"
    />
  );
}

function assignableRolesOf(manager: CollaboratorRole): readonly CollaboratorRole[] {
  return COLLABORATOR_ROLES.filter((role) => manager === 'owner' || role !== 'owner');
}
