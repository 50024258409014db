import { RebuildFigures } from '#contexts/figures/infrastructure/persistence/rebuild-figures.js';
import type { ServiceCommand } from '../command.js';

export const figuresCommand: ServiceCommand = {
  words: 'figures rebuild',
  about: 'Count the figures of the overview anew, from all records; the service goes on meanwhile.',
  changes: {
    what: 'the figures of the overview',
    undo: 'they can be counted from the records at any time.',
    audited: 'around it',
  },
  example: '',
  async run(context) {
    const rows = await context.get(RebuildFigures).execute();
    return { data: rows, note: 'The worker goes on from the snapshot that was counted.' };
  },
};
