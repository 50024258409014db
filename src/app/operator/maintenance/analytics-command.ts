import { RebuildAnalytics } from '#contexts/analytics/infrastructure/persistence/rebuild-analytics.js';
import type { ServiceCommand } from '../command.js';

export const analyticsCommand: ServiceCommand = {
  words: 'figures rebuild',
  about: 'Recalculate the analytics of the dashboard from all records. The service keeps running.',
  changes: {
    what: 'the analytics of the dashboard',
    undo: 'no undo needed: they can be recalculated at any time.',
    audited: 'around it',
  },
  example: '',
  async run(context) {
    const rows = await context.get(RebuildAnalytics).rebuild();
    return { data: rows, note: 'The worker continues with the events after this recalculation.' };
  },
};
