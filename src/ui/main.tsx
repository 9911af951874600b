import { render } from 'preact';
import { Frame } from './frame.tsx';
import './shared/keep-focus.ts';

const root = document.getElementById('page');
if (root !== null) {
  root.textContent = '';
  render(<Frame />, root);
}
