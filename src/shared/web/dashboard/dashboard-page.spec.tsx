import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { DashboardPage, withInstallation } from './dashboard-page.js';

describe('The sidebar of the dashboard', () => {
  it('links to the documentation if the operator has set its address', () => {
    const shown = (documentationUrl?: string) => {
      const page = (
        <DashboardPage visitor={OWNER} title="Payments">
          <p />
        </DashboardPage>
      );
      const origin = 'https://pay.example';
      return renderToString(withInstallation({ isTestMode: false, origin, documentationUrl }, page));
    };

    expect(shown('https://docs.example/en')).toContain('<a href="https://docs.example/en">Documentation</a>');
    expect(shown()).not.toContain('Documentation');
  });
});
