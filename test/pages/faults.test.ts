import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Fault, ListedFault, Mock } from '../../src/index.ts';
import { presets } from '../../src/ui/faults/effects.ts';
import { isFull } from '../support/depth.ts';
import { button, expectAccessible, goToView, isLive, looks, openPage, row, story } from '../support/developer-page.ts';

// The view Faults of the developer page, against a real mock.

const at = '#/faults';
const card = (page: Page, id: string) => page.getByRole('article', { name: `Fault ${id}`, exact: true });
const listed = (mock: Mock): readonly ListedFault[] => mock.faults.list();

/** What another client gets. */
function call(mock: Mock, method = 'GET', path = '/drives', body?: string, key = 'key-a') {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return fetch(mock.url + path, { method, headers, ...(body !== undefined && { body }) });
}

const statusOf = async (mock: Mock) => (await call(mock)).status;

async function drivesOf(mock: Mock): Promise<number> {
  const { organizations } = mock.snapshot();
  return organizations[0]?.drives.length ?? 0;
}

const slow: Fault = { id: 'slow', effect: { latency: { delayMs: 1 } }, operations: ['listDrives'] };

describe('presets', () => {
  /** What a client sees of each, by its label. */
  const seen: Record<string, (mock: Mock) => Promise<void>> = {
    'Slow response': async (mock) => {
      const startMs = performance.now();
      expect(await statusOf(mock)).toBe(200);
      expect(performance.now() - startMs).toBeGreaterThan(1_990);
    },
    'Server error': async (mock) => expect(await statusOf(mock)).toBe(500),
    'Unavailable for a while': async (mock) => {
      const first = await call(mock);
      expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
      expect([await statusOf(mock), await statusOf(mock)]).toEqual([503, 200]);
    },
    'Key rejected': async (mock) => expect(await statusOf(mock)).toBe(401),
    'Too many requests': async (mock) => {
      const codes = [await statusOf(mock), await statusOf(mock), await statusOf(mock)];
      expect(codes).toEqual([200, 200, 429]);
    },
    'No connection': async (mock) => {
      const before = await drivesOf(mock);
      await expect(call(mock, 'POST', '/drives', '{"name":"x"}')).rejects.toThrow('fetch failed');
      expect(await drivesOf(mock)).toBe(before);
    },
    'Response lost after the change': async (mock) => {
      const before = await drivesOf(mock);
      await expect(call(mock, 'POST', '/drives', '{"name":"x"}')).rejects.toThrow('fetch failed');
      expect(await drivesOf(mock)).toBe(before + 1);
    },
    'Broken JSON': async (mock) => {
      await expect((await call(mock)).text()).rejects.toThrow('terminated');
    },
    'Slow body': async (mock) => {
      const startMs = performance.now();
      await (await call(mock)).json();
      expect(performance.now() - startMs).toBeGreaterThan(2_500);
    },
    'JSON declared as HTML': async (mock) => {
      expect((await call(mock)).headers.get('content-type')).toBe('text/html');
    },
    'Occasional errors': async (mock) => {
      const codes: number[] = [];
      for (let count = 0; count < 60; count++) codes.push(await statusOf(mock));
      expect(codes).toContain(500);
      expect(codes).toContain(200);
    },
  };

  it('are all known to this test', () => {
    expect(Object.keys(seen)).toEqual(presets.map(({ label }) => label));
  });

  story('do what they say to other clients', async (test) => {
    const { page, mock } = await openPage(test, { at });
    for (const [label, expectSeen] of Object.entries(seen)) {
      await button(page, label).click();
      await button(page, 'Add').click();
      await expect.poll(() => listed(mock).length, { message: label }).toBe(1);
      await expectSeen(mock);
      await button(page, 'Remove all').click();
      await expect.poll(() => listed(mock).length).toBe(0);
      await page.getByText('No faults').waitFor();
    }
  });
});

describe('a fault', () => {
  story('that only delays says that the change is made, before or after the delay', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await button(page, 'Slow response').click();
    await page.getByLabel('From, in ms').fill('0');
    await page.getByLabel('To, in ms').fill('0');
    await page.getByLabel('made after the delay').waitFor();
    expect(await page.getByLabel('not made').count()).toBe(0);
    await button(page, 'Add').click();
    await card(page, 'fault-1')
      .getByText(/every call to any operation.*, before any change$/)
      .waitFor();
    expect((await call(mock, 'POST', '/drives', '{"name":"x"}')).status).toBe(201);
  });

  it('is added for one sandbox and some operations, changed, turned off and on, and removed; each is undone', async (test) => {
    const { page, mock } = await openPage(test, { at: `${at}?sandbox=org-a` });
    await button(page, 'Server error').click();
    await page.getByLabel('Status, 400 to 599').fill('418');
    await page.getByLabel('made before the fault').check();
    await page.getByLabel('createDrive').check();
    await page.getByLabel('Applies to', { exact: true }).selectOption('The next calls');
    await page.getByLabel('How many').fill('3');
    await button(page, 'Add').click();
    const added = {
      effect: { status: { code: 418 } },
      moment: 'after',
      operations: ['createDrive'],
      when: { next: 3 },
    };
    await expect.poll(() => listed(mock)).toMatchObject([{ id: 'fault-1', organizationId: 'org-a', ...added }]);
    expect((await call(mock, 'POST', '/drives', '{"name":"x"}')).status).toBe(418);
    await card(page, 'fault-1').getByText('applied to 1 of 1 call').waitFor();
    await card(page, 'fault-1')
      .getByText('Applies to the next 3 calls to createDrive, in Alder, after the change was made')
      .waitFor();

    await card(page, 'fault-1').getByRole('link', { name: 'Returns 418' }).click();
    // The form of a new fault has the same fields.
    await button(page, 'Save').waitFor();
    await page.getByLabel('Status, 400 to 599').fill('503');
    await page.getByLabel('Retry-After').fill('7');
    await page.getByLabel('Applies to calls from').selectOption('all sandboxes');
    await button(page, 'Save').click();
    await expect.poll(() => listed(mock)[0]?.effect).toEqual({ status: { code: 503, retryAfterSeconds: 7 } });
    expect(listed(mock)[0]).not.toHaveProperty('organizationId');
    await button(page, 'Undo: Change fault-1').click();
    await expect.poll(() => listed(mock)).toMatchObject([{ id: 'fault-1', organizationId: 'org-a', ...added }]);

    await button(page, 'Turn off fault-1').click();
    await expect.poll(() => listed(mock)[0]?.isEnabled).toBe(false);
    await card(page, 'fault-1').getByText('off', { exact: true }).waitFor();
    await button(page, 'Undo: Turn off fault-1').click();
    await expect.poll(() => listed(mock)[0]?.isEnabled).toBe(true);

    await button(page, 'Remove fault-1').click();
    await page.getByText('No faults').waitFor();
    await button(page, 'Undo: Remove fault-1').click();
    await expect
      .poll(() => listed(mock))
      .toMatchObject([{ id: 'fault-1', organizationId: 'org-a', ...added, matched: 0 }]);
    await button(page, 'Undo: Add fault-1').click();
    await expect.poll(() => listed(mock)).toEqual([]);

    await button(page, 'Add').click();
    await button(page, 'Undo: Add fault-2').waitFor();
    mock.faults.clear();
    await button(page, 'Undo').waitFor();
  });
});

describe('a fault that is there', () => {
  story('shows its counts while others call', async (test) => {
    const before = async (mock: Mock) => mock.faults.add({ ...slow, when: { next: 2 } });
    const { page, mock } = await openPage(test, { at, before });
    await isLive(page);
    for (const [count, stand] of [
      [1, 'active'],
      [2, 'used up'],
    ] as const) {
      await call(mock);
      await card(page, 'slow').getByText(`applied to ${count} of ${count} call`).waitFor();
      await card(page, 'slow').getByText(stand, { exact: true }).waitFor();
    }
    mock.faults.remove('slow');
    mock.faults.add({ id: 'other', effect: { truncatedBody: {} } });
    await card(page, 'other').getByText('Cuts the body off halfway').waitFor();
  });

  story('is selected by its address, and says when it is gone', async (test) => {
    const { page, mock } = await openPage(test, {
      at: `${at}/slow`,
      before: async (one) => one.faults.add(slow),
    });
    await page.getByRole('heading', { name: 'Change slow' }).waitFor();
    expect(await page.getByLabel('From, in ms').inputValue()).toBe('1');
    mock.faults.clear();
    await page.getByText('There is no fault slow').waitFor();
    await page.getByRole('link', { name: 'Add a fault' }).first().click();
    await page.getByRole('heading', { name: 'Add a fault' }).waitFor();
  });

  story('leads to the calls that met it, and they lead back', async (test) => {
    const before = async (mock: Mock) => {
      mock.faults.add({ ...slow, id: 'fault-1', when: { next: 1 } });
      mock.faults.add({ ...slow, id: 'fault-10', when: { next: 2 } });
      await call(mock);
      await call(mock, 'GET', '/drives?limit=2');
    };
    const { page } = await openPage(test, { at, before });
    await page.getByRole('link', { name: 'Matched calls: fault-1', exact: true }).click();
    await page.getByText(/^1 of 2 exchanges/).waitFor();
    await row(page, /drives$/).click();
    await page.getByRole('link', { name: 'fault-10', exact: true }).click();
    await page.getByRole('heading', { name: 'Change fault-10' }).waitFor();
  });

  story('with wrong values is refused in the words of the mock', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await button(page, 'Server error').click();
    for (const wrong of ['700', 'x', '']) {
      await page.getByLabel('Status, 400 to 599').fill(wrong);
      await button(page, 'Add').click();
      await page.getByRole('alert').getByText('"Status, 400 to 599"').waitFor();
    }
    expect(listed(mock)).toEqual([]);
    await button(page, 'JSON declared as HTML').click();
    await page.getByRole('textbox', { name: 'Content-Type' }).fill('html');
    await button(page, 'Add').click();
    await page.getByRole('alert').getByText('must be a media type, for instance text/plain').waitFor();
    expect(listed(mock)).toEqual([]);
  });
});

describe('active faults', () => {
  story('are counted in every view, and removed from there; undo brings them back in their order', async (test) => {
    const before = async (mock: Mock) => {
      mock.faults.add({ id: 'one', effect: { status: { code: 500 } } });
      mock.faults.add({ id: 'two', effect: { truncatedBody: {} } });
      mock.faults.add({ id: 'off', effect: { truncatedBody: {} }, isEnabled: false });
    };
    const { page, mock } = await openPage(test, { at: '#/traffic', before });
    for (const view of ['Try', 'State', 'Traffic', 'Reports', 'Faults']) {
      await goToView(page, view);
      await page.getByRole('link', { name: '2 active faults' }).waitFor();
    }
    await page.locator('.active-faults').getByRole('button', { name: 'Remove all' }).click();
    await expect.poll(() => listed(mock).map(({ id }) => id)).toEqual(['off']);
    await expect.poll(() => page.locator('.active-faults').count()).toBe(0);
    await button(page, 'Undo: Remove 2 faults').click();
    await expect.poll(() => listed(mock).map(({ id }) => id)).toEqual(['off', 'one', 'two']);
    await page.getByRole('link', { name: '2 active faults' }).waitFor();
  });

  story('of another sandbox are not in the list of the chosen one', async (test) => {
    const before = async (mock: Mock) => {
      mock.faults.add({ id: 'all', effect: { truncatedBody: {} } });
      mock.faults.add({ id: 'a', organizationId: 'org-a', effect: { truncatedBody: {} } });
      mock.faults.add({ id: 'b', organizationId: 'org-b', effect: { truncatedBody: {} } });
    };
    const { page } = await openPage(test, { at: `${at}?sandbox=org-b`, before });
    await card(page, 'b').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).selectOption('All sandboxes');
    await card(page, 'a').waitFor();
    expect(await page.getByRole('article').count()).toBe(3);
  });

  story('appear with the next call, although somebody else added them', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try' });
    await page.getByRole('heading', { name: 'Try' }).waitFor();
    mock.faults.add({ effect: { truncatedBody: {} }, operations: ['listAgents'] });
    await call(mock);
    await page.getByRole('link', { name: '1 active fault' }).waitFor();
  });
});

describe('the look', () => {
  it.runIf(isFull).for(looks)(
    'is accessible in $colorScheme at $width px: empty, full, with an error',
    async ({ look }, test) => {
      const { page, mock } = await openPage(test, { at, look, mayFail: true });
      await page.getByText('No faults').waitFor();
      await expectAccessible(page);
      mock.faults.add({ id: 'x'.repeat(64), effect: { wrongMediaType: { contentType: `text/${'y'.repeat(150)}` } } });
      mock.faults.add({ id: 'off', effect: { latency: { fromMs: 1, toMs: 2 } }, isEnabled: false });
      await call(mock);
      await card(page, 'off').waitFor();
      await button(page, 'Server error').click();
      await page.getByLabel('Status, 400 to 599').fill('1');
      await button(page, 'Add').click();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Delays by 1 to 2 ms' }).click();
      await page.getByRole('heading', { name: 'Change off' }).waitFor();
      await expectAccessible(page);
    },
  );
});
