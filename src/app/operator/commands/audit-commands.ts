import { Database } from '#shared/platform/database/database.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import { PAGE_OPTIONS, type Command } from '../command.js';
import { OperatorActions, type OperatorEntry } from '../operator-actions.js';

export const auditCommands: Command[] = [
  {
    words: 'audit list',
    about: 'List what operator commands changed, and who ran them, newest first.',
    options: PAGE_OPTIONS,
    example: '--page-size 20',
    async run(context, args) {
      const page = args.page();
      const found = await new OperatorActions(context.get(Database, { strict: false })).list(page);
      return { data: presentPage(found, page, present) };
    },
  },
];

function present({ actionId, at, ...entry }: OperatorEntry) {
  return { action_id: actionId, at: at.toISOString(), ...entry };
}
