import { ModulesContainer } from '@nestjs/core';
import { NetworkCatalogue } from '../../contexts/networks/contract/network-catalogue.js';
import { cataloguedDecimals } from '../../contexts/payments/infrastructure/requests/persistence/catalogued-decimals.js';
import { Database } from '../../shared/platform/database/database.js';
import { registeredInvariants } from '../../shared/platform/invariants/registered-invariants.js';
import { Seals } from '../../shared/platform/seals/seals.js';
import { verify, type Verdict } from '../verify-invariants.js';
import type { Command } from './command.js';

export const verifyCommand: Command = {
  words: 'verify',
  about: 'Check every invariant on the data as it is now; exit status 1 on any breach.',
  options: { seal: { value: 'hex', about: 'digest of a seal kept outside, which must be in the chain' } },
  async run(context, args) {
    const database = context.get(Database, { strict: false });
    const invariants = [
      ...registeredInvariants(context.get(ModulesContainer)),
      cataloguedDecimals(context.get(NetworkCatalogue, { strict: false }).assets()),
    ];
    const verdicts = await verify(invariants, (text) => database.query(text));
    const kept = args.optional('seal');
    if (kept !== undefined) verdicts.push(await keptSeal(context.get(Seals, { strict: false }), kept));
    const broken = verdicts.filter(({ breaches }) => breaches.length > 0);
    return {
      data: { invariants: verdicts.length, broken },
      note:
        broken.length === 0
          ? `All ${verdicts.length} invariants hold.`
          : `${broken.length} invariants are broken.`,
      exitCode: broken.length === 0 ? 0 : 1,
    };
  },
};

/** A log that was rewritten and sealed anew has other seals than the one that was kept. */
async function keptSeal(seals: Seals, digest: string): Promise<Verdict> {
  return {
    name: 'kept-seal-is-in-the-chain',
    promise:
      'The seal that was kept outside is one of the chain, so the events up to it are those of that time.',
    breaches: (await seals.find(digest)) === null ? [{ digest }] : [],
  };
}
