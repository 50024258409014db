import { ModulesContainer } from '@nestjs/core';
import { Database } from '../../shared/platform/database/database.js';
import { registeredInvariants } from '../../shared/platform/invariants/registered-invariants.js';
import { verify } from '../verify-invariants.js';
import type { Command } from './command.js';

export const verifyCommand: Command = {
  words: 'verify',
  about: 'Check every invariant on the data as it is now; exit status 1 on any breach.',
  async run(context) {
    const database = context.get(Database, { strict: false });
    const invariants = registeredInvariants(context.get(ModulesContainer));
    const verdicts = await verify(invariants, (text) => database.query(text));
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
