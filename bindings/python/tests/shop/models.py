"""The models of an application of Django."""

from __future__ import annotations

from typing import Any

from django.db import models
from specs import OrderId

from sortid import Euid, EventId, RonUid, Scru160, UlidFlake
from sortid.django import IdField


class Customer(models.Model):
    id = IdField(Euid, primary_key=True, default=Euid.new, editable=False)
    name: models.CharField[str, str] = models.CharField(max_length=20)

    class Meta:
        app_label = "shop"


class Order(models.Model):
    customer_id: Any
    replaces_id: Any
    id = IdField(OrderId, primary_key=True, default=OrderId.new)
    customer: models.ForeignKey[Customer, Customer] = models.ForeignKey(
        Customer, on_delete=models.CASCADE, related_name="orders"
    )
    replaces: models.ForeignKey[Order | None, Order | None] = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL
    )

    class Meta:
        app_label = "shop"


class Things(models.Model):
    scru160 = IdField(Scru160, null=True, unique=True)
    euid = IdField(Euid, "an EUID", null=True, blank=True)
    ulid_flake = IdField(UlidFlake, null=True, db_index=True)
    ron_uid = IdField(RonUid, null=True)
    event_id = IdField(EventId, null=True)
    order_id = IdField(OrderId, null=True)

    class Meta:
        app_label = "shop"


class Visit(models.Model):
    id = IdField(UlidFlake, primary_key=True, default=UlidFlake.new)
    page: models.CharField[str, str] = models.CharField(max_length=20)

    class Meta:
        app_label = "shop"
