"""What the search box looks in: documents of the library, the words they hold, and the files these are cut into."""
