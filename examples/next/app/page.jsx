import { DriveList } from './drive-list.jsx';

export default function Page() {
  return (
    <main>
      <h1>Drives</h1>
      <DriveList />
    </main>
  );
}
