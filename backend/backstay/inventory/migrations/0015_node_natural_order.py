from django.db import migrations, models
from django.db.models.functions import Collate


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0014_circuit_versions"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="node",
            index=models.Index("site", Collate("name", "natural_order"), "id", name="node_natural_order"),
        ),
    ]
