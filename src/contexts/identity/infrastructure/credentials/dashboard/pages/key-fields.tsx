import type { VNode } from 'preact';
import { CheckField, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';

interface KeyFieldsProps {
  readonly name: string | undefined;
  readonly roles: readonly string[];
  readonly refusal: ShownRefusal | undefined;
}

/** Name and roles of a key. */
export function KeyFields({ name, roles, refusal }: KeyFieldsProps): VNode {
  const problem = refusal?.errors.find(({ field }) => field === 'roles');
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="What it is for."
        value={name}
        maxlength={200}
        refusal={refusal}
        required
      />
      <fieldset>
        <legend>Roles</legend>
        <CheckField
          name="read"
          label="read"
          hint="Reads everything in its scope."
          checked={roles.includes('read')}
        />
        <CheckField
          name="write"
          label="write"
          hint="Creates and changes; it does not read."
          checked={roles.includes('write')}
        />
        {problem !== undefined && <p class="problem">{problem.message}</p>}
      </fieldset>
    </>
  );
}
