export default {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.js'],
  staticDirs: ['../public'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
};
