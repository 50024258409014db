import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
} from '#shared/web/dashboard/form-parts.js';
import type { NewPointOfSaleForm } from '../point-of-sale.form.js';
import { FIELDS, PointOfSaleFields } from './point-of-sale-fields.js';

interface NewPointOfSaleProps {
  readonly visitor: PageVisitor;
  readonly typed: NewPointOfSaleForm;
  readonly refusal: ShownRefusal | undefined;
  readonly assets: readonly Asset[];
}

export function newPointOfSalePage({ visitor, typed, refusal, assets }: NewPointOfSaleProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create a point of sale" place="/app/points-of-sale">
      <section class="card">
        <RefusalNotice refusal={refusal} fields={[...FIELDS, 'type', 'account_id']} />
        <Form action="/app/points-of-sale">
          <SelectField
            name="type"
            label="Type"
            hint="Online: any number of open requests. Physical: one at a time. It never changes."
            value={typed.type}
            refusal={refusal}
            options={[
              { value: 'online', label: 'Online' },
              { value: 'physical', label: 'Physical' },
            ]}
          />
          <TextField
            name="account_id"
            label="Account id"
            hint="Whose it is; it never changes."
            value={typed.account_id}
            refusal={refusal}
            required
          />
          <PointOfSaleFields {...{ typed, refusal, assets }} />
          <button class="button primary">Create the point of sale</button>
        </Form>
      </section>
    </DashboardPage>
  );
}
