import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './bulk-drafts.stories.tsx';

describeStories('the page that creates many drafts', STORIES);
