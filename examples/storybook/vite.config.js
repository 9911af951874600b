import { defineConfig } from 'vite';

export default defineConfig({
  // While the package is a link to its repository (file:../..), it takes the MSW of this folder all the same.
  resolve: { preserveSymlinks: true },
  // What `vite preview` serves to the tests.
  build: { outDir: 'storybook-static' },
});
