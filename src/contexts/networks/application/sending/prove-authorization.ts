import type { AuthorizedTransfers, OrderedAuthorizations } from '../../contract/authorized-transfers.js';
import { NotAsOrdered } from '../../contract/ordered-transfers.js';
import type { PlannedCall, Sending } from '../../domain/sending/sending.js';

export type AuthorizedUse = Pick<Sending, 'id' | 'network'> & { readonly call: PlannedCall };

/** The gas key pays for a payer's transfer only where one was ordered, and for the call that carries out what was signed. */
export class ProveAuthorization {
  /** @param authorizations null where nothing orders any: then none is signed */
  constructor(
    private readonly authorized: AuthorizedTransfers,
    private readonly authorizations: OrderedAuthorizations | null,
  ) {}

  /** @throws NotAsOrdered */
  async prove({ id, network, call }: AuthorizedUse): Promise<void> {
    const ordered = (await this.authorizations?.find(id)) ?? null;
    if (ordered === null) throw new NotAsOrdered(`The database has no instruction to send ${id}.`);
    if (ordered.network !== network)
      throw new NotAsOrdered(`The instruction to send ${id} is for ${ordered.network}, not for ${network}.`);
    if (!this.authorized.carriesOut(ordered, call))
      throw new NotAsOrdered(`The call of ${id} is not the transfer that its payer signed.`);
  }
}
