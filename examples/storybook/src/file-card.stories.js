import { control, mock } from '../.storybook/mock.js';
import { createFileCard } from './file-card.js';

// The logo in the example data of the mock.
const file = '/drives/637fc2c0-603b-46ce-8145-f32fb750bbe3/files/7d1ea241-0ef8-4806-9c04-244b462fd64b';

/** Puts the file into a status, which the API itself cannot do. */
const inStatus = (status) => ({
  beforeEach: ({ id }) => control('PATCH', `/organizations/self${file}`, id, { status }),
});

export default {
  title: 'File card',
  // The id of the story is the key of its sandbox.
  render: (_, { id }) => createFileCard({ fileUrl: `${mock.url}${file}`, apiKey: id }),
};

export const Processing = inStatus('processing');
export const Ready = inStatus('ready');
export const Failed = inStatus('error');
